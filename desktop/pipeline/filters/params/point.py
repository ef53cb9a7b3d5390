"""A point of the frame."""

from __future__ import annotations

import struct
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import Param


class PointParam(Param):
    """A point, 0 to 1 of the frame from its left upper corner: `vec2f`."""

    type = "point"
    editor = "point"
    wgsl = "vec2f"
    alignment = 8

    @property
    def expects(self) -> Text:
        return sentence("two numbers from 0 to 1, written as 0.25/0.75")

    def convert(self, value: Any) -> tuple[float, float]:
        x, y = (float(v) for v in (value.split("/") if isinstance(value, str) else value))
        if not (0 <= x <= 1 and 0 <= y <= 1):
            raise ValueError
        return x, y

    def pack(self, value: tuple[float, float]) -> bytes:
        return struct.pack("<2f", *value)


TYPE: Final = PointParam
