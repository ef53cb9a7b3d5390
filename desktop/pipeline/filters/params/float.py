"""A number."""

from __future__ import annotations

import struct
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import NumberParam


class FloatParam(NumberParam):
    """A number: `f32`."""

    type = "float"
    wgsl = "f32"

    @property
    def expects(self) -> Text:
        return sentence("a number from {min:g} to {max:g}{unit}", **self.bounds)

    def convert(self, value: Any) -> float:
        return self.in_bounds(value)

    def pack(self, value: float) -> bytes:
        return struct.pack("<f", value)

    @property
    def ends(self) -> tuple[float, float]:
        return self.min, self.max


TYPE: Final = FloatParam
