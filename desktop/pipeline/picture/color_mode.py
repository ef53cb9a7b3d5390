"""How frames are converted before the chain and read back after it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ColorMode:
    """Color of the working texture and of exported frames.

    Attributes:
        keeps_hdr: PQ and HLG stay as coded, instead of being tone-mapped (docs/color.md).
        is_deep: exports are float16, neither rounded to 8 bits nor clipped.
    """

    keeps_hdr: bool = False
    is_deep: bool = False
