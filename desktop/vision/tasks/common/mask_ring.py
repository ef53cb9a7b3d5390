"""Ring of array textures for masks on the GPU; a mask stays intact while later results are computed."""

from __future__ import annotations

from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.vision.tasks.task import Size

SLOTS: Final = 4
"""Results with masks at a time: one on screen, two frames in flight, one being recorded."""
_MOST_BYTES: Final = 256 << 20
"""Limit in bytes of all textures of a ring: 32 masks of 720 x 720 texels."""


class MaskRing:
    """Array textures of float32. For the render thread; `put` also for a backend's thread.

    They are dropped, never destroyed: wgpu ends the process if a submission uses a destroyed texture.
    """

    def __init__(self, gpu: Gpu, size: Size, layers: int) -> None:
        """Make textures of a size; raise ModelUnsupportedError if no mask fits or a side is too large."""
        self._gpu = gpu
        width, height = size
        layers = min(layers, _MOST_BYTES // max(1, SLOTS * 4 * width * height))
        if layers < 1 or max(size) > gpu.limits["max-texture-dimension-2d"]:
            raise ModelUnsupportedError(
                sentence(
                    "The network's masks of {width} x {height} texels are too large to be kept; choose "
                    "another network.",
                    width=width,
                    height=height,
                ),
                (f"masks of {width} x {height}",),
            )
        self.size, self.layers = size, layers
        usage = wgpu.TextureUsage
        self.textures = tuple(
            gpu.device.create_texture(
                label=f"masks {slot}",
                size=(*size, layers),
                format="r32float",
                usage=usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_SRC | usage.COPY_DST,
            )
            for slot in range(SLOTS)
        )
        self._turn = 0
        self._turns = [0] * SLOTS
        self._fetched: tuple[int, np.ndarray] | None = None

    def take(self) -> int:
        """Return the slot of the next result; its old content is invalid."""
        self._turn += 1
        slot = self._turn % SLOTS
        self._turns[slot] = self._turn
        return slot

    def turn(self, slot: int) -> int:
        """Return the number of the result in a slot."""
        return self._turns[slot]

    def put(self, slot: int, values: np.ndarray) -> None:
        """Fill the first layers of a slot with float32 (masks, height, width)."""
        count, height, width = values.shape
        layout = {"offset": 0, "bytes_per_row": width * 4, "rows_per_image": height}
        data = np.ascontiguousarray(values, np.float32)
        self._gpu.queue.write_texture({"texture": self.textures[slot]}, data, layout, (width, height, count))

    def fetch(self, turn: int) -> np.ndarray | None:
        """Return float32 (layers, height, width), None if overwritten; waits for the GPU."""
        slot = turn % SLOTS
        if self._turns[slot] != turn:
            return None
        if self._fetched is None or self._fetched[0] != turn:
            width, height = self.size
            stride = -(-width * 4 // 256) * 256
            layout = {"offset": 0, "bytes_per_row": stride, "rows_per_image": height}
            data = self._gpu.queue.read_texture(
                {"texture": self.textures[slot]}, layout, (width, height, self.layers)
            )
            rows = np.frombuffer(data, np.float32).reshape(self.layers, height, stride // 4)
            self._fetched = (turn, rows[..., :width].copy())
        return self._fetched[1]


def mask_pixels(
    values: np.ndarray,
    part: tuple[float, float, float, float],
    box: tuple[float, float, float, float],
    size: Size,
    level: float,
) -> np.ndarray:
    """Return a mask, uint8 (height, width), 0 or 1, as drawn but without the soft border.

    Args:
        values: float32 (rows, columns), interpolated between the texels.
        part: the part of them that covers `box`; both as fractions: left, top, right, bottom.
        size: (width, height) of the image.
        level: the mask is where a value is above this.
    """
    pixels = np.zeros(size[::-1], np.uint8)
    columns, rows = (_places(size[i], values.shape[1 - i], box[i::2], part[i::2]) for i in (0, 1))
    if not columns[0].size or not rows[0].size:
        return pixels
    (x, left, right, across), (y, upper, lower, down) = columns, rows
    down = down[:, None]
    high = values[np.ix_(upper, left)] * (1 - across) + values[np.ix_(upper, right)] * across
    low = values[np.ix_(lower, left)] * (1 - across) + values[np.ix_(lower, right)] * across
    pixels[y[0] : y[-1] + 1, x[0] : x[-1] + 1] = high * (1 - down) + low * down > level
    return pixels


def _places(
    pixels: int, texels: int, box: tuple[float, ...], part: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return, along one axis, the box's pixels, the texels before and after each, and the latter's share."""
    middles = (np.arange(pixels) + 0.5) / pixels
    inside = np.flatnonzero((middles > box[0]) & (middles < box[1]))
    share = (middles[inside] - box[0]) / max(box[1] - box[0], 1e-12)
    at = (part[0] + share * (part[1] - part[0])) * texels - 0.5
    first = np.floor(at).astype(int)
    return (
        inside,
        np.clip(first, 0, texels - 1),
        np.clip(first + 1, 0, texels - 1),
        (at - first).astype(np.float32),
    )
