"""Requests for scopes, and their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

CODES: Final = 256
LEVELS: Final = 128
COLUMNS: Final = 256
SIDE: Final = 128
CHANNELS: Final = ("red", "green", "blue", "luma")

ScopeKind = Literal["histogram", "waveform", "parade", "vectorscope"]
ScopePoint = Literal["source", "result"] | int
Color = tuple[float, float, float]
"""R'G'B', 0..1."""


@dataclass(frozen=True)
class ScopesSpec:
    """Request for scopes.

    Attributes:
        kinds: the scopes to compute; none for none.
        point: the image: before the chain, after it, or after the stage of an id.
        picked: position in fractions of the frame whose color is wanted; None for none.
    """

    kinds: frozenset[ScopeKind] = frozenset()
    point: ScopePoint = "result"
    picked: tuple[float, float] | None = None

    @property
    def stage(self) -> int | None:
        """The id of the stage after which the scopes are taken; None for source and result."""
        return self.point if isinstance(self.point, int) and self.kinds else None


@dataclass(frozen=True, eq=False)
class ScopeValues:
    """Counted pixels of one image. Codes are R'G'B' of 8 bits, as exported without dithering.

    Attributes:
        size: (width, height) of the image.
        step: every `step`-th row was counted; 1 for all.
        histogram: uint32 [4, 256], by channel (R, G, B, luma) and code.
        waveform: uint32 [4, 128, columns], by channel, pair of codes and column (at most 256); or None.
        vectorscope: uint32 [128, 128] by Cr and Cb, bin 64 + 126 x value rounded; or None.
    """

    point: ScopePoint
    size: tuple[int, int]
    step: int
    histogram: np.ndarray
    waveform: np.ndarray | None
    vectorscope: np.ndarray | None

    @property
    def count(self) -> int:
        """Number of pixels that were counted."""
        return int(self.histogram[0].sum())

    def mean(self, channel: int) -> float:
        """Return the mean code of a channel, 0..255."""
        return float(self.histogram[channel] @ np.arange(CODES)) / max(self.count, 1)

    def clipped(self, channel: int) -> tuple[float, float]:
        """Return the shares (0..1) of pixels at code 0 and at code 255 of a channel."""
        row, count = self.histogram[channel], max(self.count, 1)
        return float(row[0]) / count, float(row[-1]) / count


@dataclass(frozen=True)
class PickedColor:
    """Mean colors of up to 5 x 5 pixels around a position, before and after the chain."""

    at: tuple[float, float]
    before: Color
    after: Color
