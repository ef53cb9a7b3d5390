"""On or off."""

from __future__ import annotations

import struct
from typing import Any, Final

from desktop.base.fields import Flag
from desktop.pipeline.filters.param import Param


class BoolParam(Flag, Param):
    """On or off: `u32`, 0 or 1, since WGSL has no `bool` in a uniform."""

    type = "bool"
    wgsl = "u32"
    alignment = 4

    def convert(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "on", "yes", "1"):
            return True
        if isinstance(value, str) and value.lower() in ("false", "off", "no", "0"):
            return False
        raise ValueError

    def pack(self, value: bool) -> bytes:
        return struct.pack("<I", value)

    @property
    def fallback(self) -> bool:
        return False

    @property
    def cases(self) -> tuple[bool, ...]:
        return False, True

    @property
    def ends(self) -> tuple[bool, bool]:
        return False, True


TYPE: Final = BoolParam
