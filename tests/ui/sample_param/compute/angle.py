"""An angle: what a new type of parameter takes on the compute side, in one file."""

from __future__ import annotations

import math
import struct
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import Param


class AngleParam(Param):
    """Degrees from 0 to below 360; in WGSL its direction: `vec2f`."""

    type = "angle"
    editor = "dial"
    wgsl = "vec2f"
    alignment = 8

    @property
    def expects(self) -> Text:
        """See Param."""
        return sentence("an angle in degrees, such as 90")

    def convert(self, value: Any) -> float:
        """See Param."""
        degrees = float(value.removesuffix("°") if isinstance(value, str) else value)
        if not math.isfinite(degrees):
            raise ValueError
        return degrees % 360

    def pack(self, value: float) -> bytes:
        """See Param."""
        return struct.pack("<2f", math.cos(math.radians(value)), math.sin(math.radians(value)))

    @property
    def fallback(self) -> float:
        """See Param."""
        return 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """See Param."""
        return 0.0, 359.0


TYPE: Final = AngleParam
