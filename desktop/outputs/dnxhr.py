"""The matrix in DNxHR frames, which FFmpeg's encoder always declares as BT.709."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

# SMPTE ST 2019-1, frame header: the color volume in bits 1 and 2 of this byte; 1 is BT.2020, not of constant luminance.
_PLACE: Final = 0x2C
_BT2020: Final = 1 << 1


def declare_bt2020(packet: Any) -> None:
    """Write into an encoded frame that its matrix is BT.2020's: decoders go by it and not by the container."""
    header = np.frombuffer(packet, np.uint8)
    if header.size > _PLACE:
        header[_PLACE] |= _BT2020
