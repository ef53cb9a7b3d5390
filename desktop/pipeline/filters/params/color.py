"""A color."""

from __future__ import annotations

import struct
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import Param


class ColorParam(Param):
    """R'G'B'A from 0 to 1: `vec4f`."""

    type = "color"
    editor = "color"
    wgsl = "vec4f"
    alignment = 16

    @property
    def expects(self) -> Text:
        return sentence("a color such as #00b140")

    def convert(self, value: Any) -> tuple[float, ...]:
        if isinstance(value, str):
            digits = value.removeprefix("#")
            if len(digits) not in (6, 8):
                raise ValueError
            parts = [int(digits[i : i + 2], 16) / 255 for i in range(0, len(digits), 2)]
        else:
            parts = [float(v) for v in value]
        if len(parts) == 3:
            parts.append(1.0)
        if len(parts) != 4 or not all(0 <= v <= 1 for v in parts):
            raise ValueError
        return tuple(parts)

    def pack(self, value: tuple[float, ...]) -> bytes:
        return struct.pack("<4f", *value)


TYPE: Final = ColorParam
