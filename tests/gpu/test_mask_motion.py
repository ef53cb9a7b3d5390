"""Late masks of networks that are moved to the frame by optical flow, against where the object is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from dense_models import channel_model
from waiting import until

from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.pipeline import Pipeline

WIDTH, HEIGHT, SIDE = 256, 144, 40
LEFT, SPEED = 8, 4  # in pixels, and pixels a frame
RATE = 25


def pattern(seed: int, low: int, high: int) -> np.ndarray:
    """Smooth random values, float32 [HEIGHT, WIDTH, 3]."""
    small = np.random.default_rng(seed).uniform(low, high, (18, 32, 3)).astype(np.float32)
    return cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)


def picture(left: int, seed: int = 1) -> np.ndarray:
    """A square with a texture, red, which the network finds, before a background without red."""
    image = pattern(seed, 0, 200)
    image[..., 0] = 0
    square = pattern(seed + 1, 0, 120)[:SIDE, :SIDE]
    square[..., 0] = 255
    image[52 : 52 + SIDE, left : left + SIDE] = square
    return np.round(image).astype(np.uint8)


def frame_of(image: np.ndarray, number: int) -> Frame:
    pixels = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
    pixels[..., :3] = image
    plane = Plane(pixels.tobytes(), WIDTH * 4, WIDTH, HEIGHT)
    return Frame((plane,), RGBA, WIDTH, HEIGHT, ColorInfo("rgb", "full", "srgb", "bt709"), pts=number / RATE)


def place(left: int) -> np.ndarray:
    wanted = np.zeros((HEIGHT, WIDTH), bool)
    wanted[52 : 52 + SIDE, left : left + SIDE] = True
    return wanted


def iou(a: np.ndarray, b: np.ndarray) -> float:
    return (a & b).sum() / max(1, (a | b).sum())


@dataclass(frozen=True)
class Late:
    """A pipeline whose masks come some frames late: the network runs one step a frame."""

    pipeline: Pipeline

    def mask_of(self, image: np.ndarray, number: int) -> np.ndarray:
        """Return the mask that a frame is shown with, bool [height, width]."""
        until(lambda: self.pipeline.render(frame_of(image, number)))
        self.pipeline.drain()
        shown = self.pipeline.export().result()[..., :3].astype(int)
        return np.abs(shown - image).max(axis=2) > 60

    @property
    def frames_late(self) -> int:
        """Number of frames by which the last mask is late, as shown."""
        return round(self.pipeline.chain.statuses[0].mask.lag_ms * RATE / 1e3)


@dataclass(frozen=True)
class Both:
    """The newest mask as it is, and moved."""

    still: Late
    moved: Late

    def begin(self) -> None:
        """Show the first frame until both networks have given its mask; then both go on alike."""
        for each in (self.still, self.moved):
            until(lambda each=each: each.mask_of(picture(LEFT), 0).any())
            each.pipeline.chain.reset()


@pytest.fixture
def both(gpu, library, tmp_path) -> Iterator[Both]:
    model = str(channel_model(tmp_path / "mask.onnx", size=(128, 72)))

    def late(timing: str) -> Late:
        values = {"model": model, "backend": "wgpu", "timing": timing, "smoothing": 0, "softness": 0.005}
        part = MaskPart("person", library.mask("person").check(values))
        pipeline = Pipeline(gpu, library, adapts_budget=False)
        pipeline.network_budget_ms = 1e-6
        chain = ChainSpec().added("invert", library.get("invert").check({}))
        pipeline.set_chain(chain.with_mixing(1, mask=MaskSpec((part,))))
        return Late(pipeline)

    made = Both(late("newest result"), late("moved"))
    yield made
    made.still.pipeline.close()
    made.moved.pipeline.close()


def test_a_late_mask_is_moved_to_the_frame(both):
    both.begin()
    still, moved = [], []
    for number in range(1, 22):
        left = LEFT + SPEED * number
        masks = (both.still.mask_of(picture(left), number), both.moved.mask_of(picture(left), number))
        if both.moved.frames_late == 3:
            still.append(iou(masks[0], place(left)))
            moved.append(iou(masks[1], place(left)))
    assert len(moved) >= 4, "the network is three frames late now and then"
    assert min(moved) >= 0.9 and max(still) < 0.6, (still, moved)


def test_nothing_is_moved_across_a_cut(both):
    both.begin()
    for number in range(1, 10):
        left = LEFT + SPEED * number
        both.still.mask_of(picture(left), number)
        both.moved.mask_of(picture(left), number)
    other = 255 - picture(160, seed=7)
    masks = [each.mask_of(other, 10) for each in (both.still, both.moved)]
    assert both.moved.frames_late > 0 and masks[0].any()
    np.testing.assert_array_equal(*masks)
