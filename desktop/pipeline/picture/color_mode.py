"""Color conversion of frames before the chain, and of images that are read back after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Dither = Literal["bayer", "noise", "none"]
DITHERS: Final = ("bayer", "noise", "none")


@dataclass(frozen=True)
class ColorMode:
    """Color of the working texture and of exported frames.

    Attributes:
        keeps_hdr: PQ and HLG stay as coded, instead of being tone-mapped (docs/color.md).
        is_deep: exports are float16, neither rounded to 8 bits nor clipped.
        dither: what hides the steps of 8 bits: Bayer's 8 x 8 pattern, a pattern like blue noise, or nothing.
    """

    keeps_hdr: bool = False
    is_deep: bool = False
    dither: Dither = "bayer"
