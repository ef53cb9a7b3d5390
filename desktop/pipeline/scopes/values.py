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


MAGNIFIED: Final = (8, 12, 16)
"""Pixels of a side that can be magnified."""


@dataclass(frozen=True)
class Magnifier:
    """Request for the pixels around a position, in fractions of the frame; `side`: of MAGNIFIED."""

    at: tuple[float, float]
    point: ScopePoint = "result"
    side: int = 12


@dataclass(frozen=True)
class ScopesSpec:
    """Request for scopes.

    Attributes:
        kinds: the scopes to compute; none for none.
        point: the image: before the chain, after it, or after the stage of an id.
        picked: position in fractions of the frame whose color is wanted; None for none.
        magnifier: the pixels that are wanted; None for none.
    """

    kinds: frozenset[ScopeKind] = frozenset()
    point: ScopePoint = "result"
    picked: tuple[float, float] | None = None
    magnifier: Magnifier | None = None

    @property
    def magnified_stage(self) -> int | None:
        """The id of the stage whose image is magnified; None for source and result."""
        point = self.magnifier.point if self.magnifier is not None else None
        return point if isinstance(point, int) else None

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


@dataclass(frozen=True, eq=False)
class MagnifiedPixels:
    """Pixels around a position.

    Attributes:
        size: (width, height) of the image.
        center: (x, y) of the pixel at the position, which is in row and column `side // 2`.
        pixels: R'G'B'A as computed, not limited to 0..1: float32 [side, side, 4]. Beyond the edge of the
            image they repeat those of the edge.
    """

    point: ScopePoint
    size: tuple[int, int]
    center: tuple[int, int]
    pixels: np.ndarray

    @property
    def value(self) -> tuple[float, ...]:
        """R', G', B' and A of the pixel at the position."""
        middle = len(self.pixels) // 2
        return tuple(float(value) for value in self.pixels[middle, middle])


@dataclass(frozen=True)
class PickedColor:
    """Mean colors of up to 5 x 5 pixels around a position, before and after the chain."""

    at: tuple[float, float]
    before: Color
    after: Color
