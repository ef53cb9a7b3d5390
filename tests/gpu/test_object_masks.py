"""Masks of objects: detections, tracks, zones, and networks of their own; and what is shown without a result."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from dense_models import channel_model, depth_model, enlarging_model
from tiny_models import square_detector
from waiting import until

from desktop.base.errors import ModelError
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import Attachment, MaskPart, MaskSpec
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.analysis import PictureTime
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.shapes import Box
from desktop.vision.tasks.task import Features, Result
from desktop.vision.tracking.scene import Scene, SceneSpec
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zones import ZoneSpec

WIDTH, HEIGHT, SIDE = 128, 96, 16
TRACKED = SceneSpec(track=TrackSpec())
# Paints green, so that a test can tell where the effect was applied.
GREEN = """/* lightloom
title = "Green"
*/
fn main(p: vec2i) -> vec4f { return vec4f(0.0, 1.0, 0.0, 1.0); }
"""
BROKEN = """/* lightloom
title = "Broken"
*/
fn main(p: vec2i) -> vec4f { return nothing; }
"""


@pytest.fixture
def library(tmp_path) -> FilterLibrary:
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "green.wgsl").write_text(GREEN, "utf-8")
    (folder / "broken.wgsl").write_text(BROKEN, "utf-8")
    return FilterLibrary(folder)


@pytest.fixture
def engine(library) -> Iterator[Engine]:
    made = Engine(Gpu.open, library, LiveNetwork.load, wait=True, in_flight=1)
    yield made
    made.close()


@pytest.fixture
def live(gpu, library) -> Iterator[Pipeline]:
    made = Pipeline(gpu, library, adapts_budget=False)
    yield made
    made.close()


def frame(pts: float, left: int = 48, top: int = 32, color=(255, 0, 0)) -> Frame:
    """A square on black, which the detector calls red or blue."""
    pixels = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[top : top + SIDE, left : left + SIDE, :3] = color
    plane = Plane(pixels.tobytes(), WIDTH * 4, WIDTH, HEIGHT)
    return Frame((plane,), RGBA, WIDTH, HEIGHT, ColorInfo("rgb", "full", "srgb", "bt709"), pts=pts)


def part(library, kind, attachment=None, **values) -> MaskPart:
    return MaskPart(kind, library.mask(kind).check(values), attachment=attachment)


def chain(library, *parts, effect="green", **mask) -> ChainSpec:
    return ChainSpec().added(effect, {}).with_mixing(1, mask=MaskSpec(parts, **mask))


def image(pipeline) -> np.ndarray:
    pipeline.drain()
    return pipeline.export().result()[..., :3].astype(int)


def green(pipeline) -> np.ndarray:
    """Where the effect is; bool [height, width]."""
    found = image(pipeline)
    return (found[..., 1] > 127) & (found[..., 0] < 128)


def square(left: int, top: int = 32) -> np.ndarray:
    wanted = np.zeros((HEIGHT, WIDTH), bool)
    wanted[top : top + SIDE, left : left + SIDE] = True
    return wanted


def iou(a: np.ndarray, b: np.ndarray) -> float:
    return (a & b).sum() / max(1, (a | b).sum())


def within_a_pixel(found: np.ndarray, wanted: np.ndarray) -> bool:
    """True if they differ at the edge of what is wanted only."""
    square = np.ones((3, 3), np.uint8)
    inner, outer = (change(wanted.astype(np.uint8), square) == 1 for change in (cv2.erode, cv2.dilate))
    return bool(found[inner].all() and not found[~outer].any())


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_detections_of_the_frame_itself(engine, library, tmp_path, backend):
    model = square_detector(tmp_path / "squares.onnx")
    setup = Setup(chain(library, part(library, "detections")), NetworkSpec(str(model), backend))
    engine.current.set_setup(setup)
    # Cells of the detector are 16 pixels wide here.
    for number, left in enumerate((16, 64, 96)):
        engine.render(frame(number * 0.04, left))
        assert iou(green(engine.pipeline), square(left)) >= 0.99


def test_detections_of_a_class(engine, library, tmp_path):
    model = square_detector(tmp_path / "squares.onnx")
    mask = part(library, "detections", classes="Blue, nothing")
    engine.current.set_setup(Setup(chain(library, mask), NetworkSpec(str(model))))
    engine.render(frame(0.0))
    assert not green(engine.pipeline).any()
    engine.render(frame(0.04, 64, color=(0, 0, 255)))
    assert iou(green(engine.pipeline), square(64)) >= 0.99


class Silent:
    """An analysis network that has not answered yet, or fails."""

    budget_ms = None
    features = Features()
    networks = ()
    description = ""
    pending = False
    inference_ms = None

    def __init__(self, error: str = "") -> None:
        self.error = error

    def encode(self, *_: object, **__: object) -> None:
        return None

    def poll(self) -> None:
        if self.error:
            raise ModelError(self.error)

    def adjust(self, _: object) -> bool:
        return False

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Seen(Result):
    """A square at a place."""

    left: int = 0

    def json(self) -> dict[str, object]:
        return {}

    def lines(self) -> tuple[str, ...]:
        return ()

    def shapes(self) -> tuple[Box, ...]:
        sides = (self.left / WIDTH, 32 / HEIGHT, (self.left + SIDE) / WIDTH, (32 + SIDE) / HEIGHT)
        return (Box("thing", 0, *sides, score=0.9),)


@pytest.fixture
def tracked(gpu, library) -> Iterator[Pipeline]:
    """A pipeline with a network that sees the square of `frame(time, 4 + 100 * time)`."""

    class Detector(Silent):
        seen: PictureTime | None = None

        def encode(self, encoder, texture, pts, timer, *, is_new) -> None:
            self.seen = pts if is_new else self.seen

        def poll(self) -> Seen | None:
            pts, self.seen = self.seen, None
            return None if pts is None else Seen(left=way(pts), note=pts)

    made = Pipeline(gpu, library, wait=True, scene=Scene(TRACKED))
    made.set_analysis(Detector())
    yield made
    made.close()


def way(pts: float) -> int:
    return round(4 + 100 * pts)


def test_one_tracked_object_is_followed(tracked, library):
    tracked.set_chain(chain(library, part(library, "track", identity=1)))
    for number in range(20):
        tracked.render(frame(number * 0.04, way(number * 0.04)))
        assert iou(green(tracked), square(way(number * 0.04))) >= 0.99
    tracked.set_chain(chain(library, part(library, "track", identity=99)))
    tracked.render(frame(0.8, way(0.8)))
    assert not green(tracked).any()


def test_a_drawn_shape_moves_with_a_tracked_object(tracked, library):
    """A square drawn below the object, as it stood at the beginning, stays below it."""
    was = (4 / WIDTH, 32 / HEIGHT, 20 / WIDTH, 48 / HEIGHT)
    center = (12 / WIDTH, 72 / HEIGHT)
    size = {"width": 100 * SIDE / WIDTH, "height": 100 * SIDE / HEIGHT}
    drawn = part(library, "rectangle", Attachment(1, was), center=center, **size)
    tracked.set_chain(chain(library, drawn))
    for number in range(20):
        tracked.render(frame(number * 0.04, way(number * 0.04)))
        assert iou(green(tracked), square(way(number * 0.04), top=64)) >= 0.99


def test_a_zone(engine, library):
    zone = ZoneSpec("door", ((0.25, 0.25), (0.75, 0.25), (0.75, 0.5), (0.25, 0.5)))
    other = ZoneSpec("other", ((0.0, 0.75), (0.1, 0.75), (0.1, 1.0)))
    engine.current.set_setup(
        Setup(chain(library, part(library, "zone", zone="door")), scene=SceneSpec(zones=(zone, other)))
    )
    engine.render(frame(0.0))
    wanted = np.zeros((HEIGHT, WIDTH), bool)
    wanted[24:48, 32:96] = True
    assert iou(green(engine.pipeline), wanted) >= 0.99


@pytest.mark.parametrize("timing", ["newest result", "moved"])
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_network_of_the_masks_own(engine, library, tmp_path, backend, timing):
    """Its mask is the red of the frame before the chain, whatever stands before it in the chain."""
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"model": model, "backend": backend, "timing": timing, "smoothing": 0, "softness": 0.005}
    person = part(library, "person", **values)
    inverted = library.get("brightness_contrast").check({"brightness": -1})
    dark = ChainSpec().added("brightness_contrast", inverted).added("green", {})
    engine.current.set_setup(Setup(dark.with_mixing(2, mask=MaskSpec((person,)))))
    for number, left in enumerate((16, 64)):
        engine.render(frame(number * 0.04, left))
        # The network's pixels are two by two of the frame's.
        assert within_a_pixel(green(engine.pipeline), square(left))


def test_a_networks_mask_is_smoothed_ten_times_as_long_where_the_picture_stands_still(
    engine, library, tmp_path
):
    """On the left luma stays as it is while the mask comes and goes; on the right both change."""
    model = str(channel_model(tmp_path / "mask.onnx", size=(WIDTH, HEIGHT)))
    person = part(library, "person", model=model, smoothing=0.1, threshold=0.5, softness=0.5)
    engine.current.set_setup(Setup(chain(library, person)))
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    left = right = None
    for number, (red, luma) in enumerate(((200, 100), (30, 60), (220, 100), (40, 60))):
        pixels = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
        for half, wanted in ((pixels[:, :64], 100), (pixels[:, 64:], luma)):
            half[..., :3] = (red, round((wanted - 0.2126 * red) / 0.7152), 0)
        shown = (Plane(pixels.tobytes(), WIDTH * 4, WIDTH, HEIGHT),)
        engine.render(Frame(shown, RGBA, WIDTH, HEIGHT, color, pts=number * 0.04))
        now = red / 255
        if left is None or right is None:
            left = right = now
        jump = np.clip((abs(now - right) - 0.4) / 0.4, 0, 1)
        right += max(1 - np.exp(-0.04 / 0.1), jump * jump * (3 - 2 * jump)) * (now - right)
        left += (1 - np.exp(-max((2 * now - 1) ** 2, 0.1) * 0.04 / 1.0)) * (now - left)
        got = engine.pipeline.export().result()[..., 1] / 255
        for side, state in ((np.s_[:, :40], left), (np.s_[:, 72:], right)):
            covered = state * state * (3 - 2 * state)
            expected = covered + (1 - covered) * pixels[side][..., 1] / 255
            assert np.abs(got[side] - expected).max() <= 2 / 255, number


def test_a_networks_mask_arrives_where_it_moves_in_steps_of_a_thousandth(engine, library, tmp_path):
    """Half floats do not hold the steps of the slow average at 60 frames a second: it would stop on the way."""
    model = str(channel_model(tmp_path / "mask.onnx", size=(WIDTH, HEIGHT)))
    person = part(library, "person", model=model, threshold=0.5, softness=0.5)
    engine.current.set_setup(Setup(chain(library, person)))
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    reds, shown = [128] + 239 * [166], 0.0
    state = reds[0] / 255
    for number, red in enumerate(reds):
        pixels = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
        pixels[..., :3] = (red, round((80 - 0.2126 * red) / 0.7152), 0)
        plane = Plane(pixels.tobytes(), WIDTH * 4, WIDTH, HEIGHT)
        engine.render(Frame((plane,), RGBA, WIDTH, HEIGHT, color, pts=number / 60))
        now = red / 255
        state += (1 - np.exp(-max((2 * now - 1) ** 2, 0.1) / 60 / 0.8)) * (now - state)
        shown = pixels[0, 0, 1] / 255
    covered = state * state * (3 - 2 * state)
    got = engine.pipeline.export().result()[..., 1] / 255
    assert np.abs(got - (covered + (1 - covered) * shown)).max() <= 2 / 255


def test_another_network_of_a_mask_begins_anew(engine, library, tmp_path):
    """Nothing moves, so that the mask of the one before would stay for a while."""
    shown = frame(0.0)
    for number, channel in enumerate((0, 2, 0)):
        model = str(channel_model(tmp_path / f"{channel}.onnx", channel, size=(WIDTH, HEIGHT)))
        person = part(library, "person", model=model, softness=0.005)
        engine.current.set_setup(Setup(chain(library, person)))
        for again in range(2):
            engine.render(replace(shown, pts=0.04 * (2 * number + again)))
        is_person = green(engine.pipeline).any()
        assert bool(is_person) == (channel == 0)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_distance_is_that_of_a_depth_network(engine, library, tmp_path, backend):
    """Its map is 40 times green less 7: a ramp from the left, the farthest, to the right."""
    model = str(depth_model(tmp_path / "depth.onnx", size=(64, 48)))
    values = {"model": model, "backend": backend, "softness": 0, "smoothing": 0, "input_range": "0..1"}
    mask = part(library, "depth", near=75, far=25, **values)
    engine.current.set_setup(Setup(chain(library, mask)))
    pixels = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    pixels[..., 1], pixels[..., 3] = np.linspace(0, 120, WIDTH).round(), 255
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    ramp = Frame((Plane(pixels.tobytes(), WIDTH * 4, WIDTH, HEIGHT),), RGBA, WIDTH, HEIGHT, color)
    engine.render(ramp)
    columns = np.flatnonzero(green(engine.pipeline)[HEIGHT // 2])
    share = columns / (WIDTH - 1)
    # The network's map is half as wide.
    assert share[0] == pytest.approx(0.25, abs=1.5 / WIDTH) and share[-1] == pytest.approx(
        0.75, abs=1.5 / WIDTH
    )
    assert len(columns) == columns[-1] - columns[0] + 1


def test_an_effect_that_enlarges_is_masked(engine, library, tmp_path):
    """What it was given is enlarged where its result is not used."""
    model = str(enlarging_model(tmp_path / "x2.onnx", 2))
    values = library.get("super_resolution").check({"model": model})
    half = part(library, "rectangle", center=(0.25, 0.5), width=50, height=100)
    chain = ChainSpec().added("super_resolution", values)
    plain, masked = [], []
    for spec, found in ((chain, plain), (chain.with_mixing(1, mask=MaskSpec((half,))), masked)):
        engine.current.set_setup(Setup(spec))
        engine.render(frame(0.0))
        found.append(image(engine.pipeline))
    assert masked[0].shape == plain[0].shape == (2 * HEIGHT, 2 * WIDTH, 3)
    np.testing.assert_array_equal(masked[0][:, : WIDTH - 1], plain[0][:, : WIDTH - 1])
    given = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    given[32:48, 48:64, 0] = 255
    enlarged = cv2.resize(given, (2 * WIDTH, 2 * HEIGHT), interpolation=cv2.INTER_LINEAR)
    assert np.abs(masked[0][:, WIDTH + 1 :] - enlarged[:, WIDTH + 1 :]).max() <= 2


def test_stages_share_a_network(engine, library, tmp_path):
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    masks = [part(library, "person", model=model, threshold=threshold) for threshold in (0.4, 0.6)]
    both = ChainSpec().added("green", {}).added("invert", library.get("invert").check({}))
    for number, each in enumerate(masks, 1):
        both = both.with_mixing(number, mask=MaskSpec((each,)))
    engine.current.set_setup(Setup(both))
    engine.render(frame(0.0))
    engine.pipeline.drain()
    spans = [name for name in engine.pipeline.chain.spans if name.startswith("network:")]
    assert spans == ["network:mask 1"]


# -- without a result ----------------------------------------------------------------------------------------


def is_hidden(found: np.ndarray) -> bool:
    """True if nothing red is seen."""
    return not (found[..., 0] > 40).any()


@pytest.mark.parametrize("error", ["", "The network failed."])
@pytest.mark.parametrize("if_missing", ["everywhere", "black"])
def test_nothing_is_shown_while_detections_are_missing(live, library, error, if_missing):
    live.set_analysis(Silent(error))
    live.set_chain(chain(library, part(library, "detections"), if_missing=if_missing))
    for number in range(40):
        if live.render(frame(number * 0.04, 8 + number)):
            assert is_hidden(image(live)), number
    until(lambda: live.render(frame(3.0)) and not live.chain.is_compiling)
    until(lambda: live.render(frame(4.0)))
    shown = image(live)
    assert is_hidden(shown) and (shown[..., 1] > 127).all() == (if_missing == "everywhere")


def test_without_such_a_wish_the_frame_is_shown_as_it_is(live, library):
    live.set_analysis(Silent())
    live.set_chain(chain(library, part(library, "detections")))
    until(lambda: live.render(frame(0.0)) and not live.chain.is_compiling)
    until(lambda: live.render(frame(0.1)))
    shown = image(live)
    assert (shown[..., 0] > 127).any() and not (shown[..., 1] > 127).any()
    assert live.chain.statuses[0].mask.state == "missing"


@pytest.mark.parametrize("if_missing", ["everywhere", "black"])
def test_nothing_is_shown_without_the_masks_network(live, library, tmp_path, if_missing):
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(b"no network at all")
    mask = part(library, "person", model=str(damaged))
    live.set_chain(chain(library, mask, if_missing=if_missing))
    for number in range(60):
        if live.render(frame(number * 0.04, 8 + number)):
            assert is_hidden(image(live)), number
    until(lambda: live.render(frame(9.0)) and live.chain.statuses[0].mask.state == "failed")
    assert "damaged.onnx" in live.chain.statuses[0].mask.message
    assert is_hidden(image(live))


def test_nothing_is_shown_without_the_effect(live, library):
    chain_of_broken = chain(library, part(library, "ellipse"), effect="broken", if_missing="everywhere")
    live.set_chain(chain_of_broken)
    for number in range(30):
        if live.render(frame(number * 0.04, 8 + number)):
            assert is_hidden(image(live)), number
    until(lambda: live.render(frame(9.0)) and live.chain.statuses[0].state == "failed")
    assert is_hidden(image(live))


@pytest.mark.parametrize(
    ("backend", "timing"),
    [("wgpu", "newest result"), ("onnxruntime", "newest result"), ("wgpu", "moved")],
)
def test_each_frame_has_its_own_mask_where_something_must_be_hidden(live, library, tmp_path, backend, timing):
    """The network lags, one dispatch a frame or on a thread; the square moves by more than its side."""
    live.network_budget_ms = 1e-6
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"model": model, "backend": backend, "timing": timing, "threshold": 0.2, "smoothing": 0}
    mask = part(library, "person", **values)
    live.set_chain(chain(library, mask, if_missing="black", grow=4))
    shown = 0
    for number in range(4000):
        if live.render(frame(number * 0.04, 8 + 24 * (number % 4))):
            found = image(live)
            assert is_hidden(found), number
            shown += bool((found[..., 1] > 127).any())
        if shown > 6:
            break
        time.sleep(0.005)
    assert shown > 6, live.chain.statuses


def test_a_network_that_stalls_hides_more_and_more_and_then_everything(gpu, library):
    """The object goes on by as much as its own width in 0.16 s, while the network has stopped."""
    made = Pipeline(gpu, library, scene=Scene(TRACKED))

    class Stalling(Silent):
        seen: PictureTime | None = None

        def encode(self, encoder, texture, pts, timer, *, is_new) -> None:
            self.seen = pts if is_new and pts <= 0.4 else None

        def poll(self) -> Seen | None:
            pts, self.seen = self.seen, None
            return None if pts is None else Seen(left=way(pts), note=pts)

    made.set_analysis(Stalling())
    made.set_chain(chain(library, part(library, "detections"), if_missing="everywhere"))
    until(lambda: made.render(frame(0.0, way(0.0))) and not made.chain.is_compiling)
    covered = []
    for number in range(25):
        pts = number * 0.04
        until(lambda pts=pts: made.render(frame(pts, way(pts))))
        assert is_hidden(image(made)), pts
        covered.append(green(made).mean())
    made.close()
    assert covered[5] < 0.5 and covered[-1] == 1.0


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_masks_on_both_sides_of_an_effect_that_enlarges(engine, library, tmp_path, backend):
    """In one frame there are masks of two sizes."""
    values = {"model": str(enlarging_model(tmp_path / "x2.onnx", 2)), "backend": backend}
    both = ChainSpec().added("green", {})
    both = both.added("super_resolution", library.get("super_resolution").check(values)).added("green", {})
    quarter = part(library, "rectangle", center=(0.25, 0.25), width=50, height=50)
    other = part(library, "rectangle", center=(0.75, 0.75), width=50, height=50)
    both = both.with_mixing(1, mask=MaskSpec((quarter,))).with_mixing(3, mask=MaskSpec((other,)))
    engine.current.set_setup(Setup(both))
    for number in range(3):
        engine.render(frame(number * 0.04))
        found = green(engine.pipeline)
        assert found.shape == (2 * HEIGHT, 2 * WIDTH) and found[HEIGHT + 2 :, WIDTH + 2 :].all()
        assert not found[: HEIGHT - 4, WIDTH + 4 :].any()


def test_what_must_stay_hidden_beside_an_object_is_no_smaller_for_that(engine, library, tmp_path):
    """All but the square is hidden: a margin around the square would show what is beside it."""
    model = square_detector(tmp_path / "squares.onnx")
    inverted = MaskPart("detections", library.mask("detections").check({}), inverted=True)
    engine.current.set_setup(
        Setup(chain(library, inverted, if_missing="black"), NetworkSpec(str(model), "wgpu"))
    )
    engine.render(frame(0.0, 64))
    assert iou(~green(engine.pipeline), square(64)) >= 0.99
