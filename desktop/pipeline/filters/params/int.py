"""A whole number."""

from __future__ import annotations

import struct
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import NumberParam


class IntParam(NumberParam):
    """A whole number: `i32`."""

    type = "int"
    wgsl = "i32"
    whole = True

    @property
    def expects(self) -> Text:
        return sentence("a whole number from {min:g} to {max:g}{unit}", **self.bounds)

    def convert(self, value: Any) -> int:
        number = self.in_bounds(value)
        if number != int(number):
            raise ValueError
        return int(number)

    def pack(self, value: int) -> bytes:
        return struct.pack("<i", value)

    @property
    def ends(self) -> tuple[int, int]:
        return int(self.min), int(self.max)

    def fault(self) -> Text | None:
        fault = super().fault()
        if fault is None and not -(2**31) <= self.min <= self.max < 2**31:
            return sentence("its bounds don't fit into a whole number of 32 bits")
        return fault


TYPE: Final = IntParam
