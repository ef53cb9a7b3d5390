"""Which pictures of a file are interlaced, and which of their fields is the earlier one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.media.frame import Fields, Frame, Plane

# Every so many columns are looked at: a picture of 1080 lines takes 0.4 ms.
_EVERY: Final = 24
# By how much one order must be likelier than the other to be taken (as in FFmpeg's idet), and how much of what was seen counts on.
_CLEARLY: Final = 1.04
_REMEMBERED: Final = 0.9
# DV is bottom field first by its specification (IEC 61834-2); of what is broadcast nearly all is top field first.
_BOTTOM_FIRST: Final = frozenset({"dvvideo"})


class FieldOrder:
    """Tells from what moves which field comes first.

    A picture's flag for it (AV_FRAME_FLAG_TOP_FIELD_FIRST) is not exposed by PyAV, and is wrong in many files. Each line is compared with
    the lines around it of the picture before and of the one after: those of the nearer moment fit better (as FFmpeg's idet does).
    """

    def __init__(self, codec: str) -> None:
        self.top_first = codec not in _BOTTOM_FIRST
        self._top = self._bottom = 0.0

    def see(self, before: Plane, current: Plane, after: Plane, sample_bytes: int) -> None:
        """Take in the luma of three pictures of one size in a row."""
        lines = [_lines(plane, sample_bytes) for plane in (before, current, after)]
        if lines[1].shape[0] < 8:
            return
        around = lines[1][:-2] + lines[1][2:]
        earlier = np.abs(around - 2.0 * lines[0][1:-1]).sum(axis=1)
        later = np.abs(around - 2.0 * lines[2][1:-1]).sum(axis=1)
        # Line 1 is the first of both.
        top = earlier[1::2].sum() + later[0::2].sum()
        bottom = earlier[0::2].sum() + later[1::2].sum()
        self._top = self._top * _REMEMBERED + float(top)
        self._bottom = self._bottom * _REMEMBERED + float(bottom)
        if self._top > _CLEARLY * self._bottom:
            self.top_first = True
        elif self._bottom > _CLEARLY * self._top:
            self.top_first = False


def _lines(plane: Plane, sample_bytes: int) -> np.ndarray:
    rows = np.frombuffer(plane.data, np.uint8)[: plane.stride * plane.height].reshape(
        plane.height, plane.stride
    )
    high = sample_bytes - 1  # the high byte of a little-endian sample says enough
    return rows[:, high : plane.width * sample_bytes : _EVERY * sample_bytes].astype(np.float32)


def with_fields(frame: Frame, before: Frame | None, after: Frame | None, order: FieldOrder) -> Frame:
    """Return an interlaced picture with what is beside it; a neighbor of another format or size is none."""
    beside = [other if other is not None and _fits(other, frame) else None for other in (before, after)]
    if beside[0] is not None and beside[1] is not None and frame.format.planes[0].components == "Y":
        luma = frame.format.planes[0].bytes_per_component
        order.see(beside[0].planes[0], frame.planes[0], beside[1].planes[0], luma)
    planes = [other.planes if other is not None else None for other in beside]
    return replace(frame, fields=Fields(order.top_first, *planes))


def _fits(other: Frame, frame: Frame) -> bool:
    sizes = [[(plane.width, plane.height) for plane in f.planes] for f in (other, frame)]
    return other.format == frame.format and sizes[0] == sizes[1]
