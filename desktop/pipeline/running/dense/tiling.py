"""Divide an image into overlapping tiles, for networks that do not process all of it at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from desktop.vision.tasks.task import Size

_RAMP: Final = 16
"""Pixels over which tiles are blended, if both are valid on that many."""
_UNKNOWN_MARGIN: Final = 16
"""Pixels to discard at a tile's edge if the receptive field is unknown: a dozen 3 x 3 convolutions."""


@dataclass(frozen=True)
class Span:
    """Tile along one axis, in pixels of the image: it fades in over `rise` (from, to), empty at the image's
    edge, and out over `fall`.
    """

    start: int
    rise: tuple[float, float]
    fall: tuple[float, float]

    def weights(self, count: int, factor: int) -> np.ndarray:
        """Return float32 weights of `count` output pixels, `factor` per image pixel; tiles add up to 1."""
        at = (self.start * factor + np.arange(count) + 0.5) / factor
        return np.asarray(_ramp(at, self.rise) * (1.0 - _ramp(at, self.fall)), np.float32)


def _ramp(at: np.ndarray, ends: tuple[float, float]) -> np.ndarray:
    low, high = ends
    if high <= low:
        return np.asarray(at >= low, np.float64)
    return np.clip((at - low) / (high - low), 0.0, 1.0)


@dataclass(frozen=True)
class Tiling:
    """Tiles of size `tile` that cover an image of size `whole`, both (width, height) in pixels.

    `columns` and `rows` are from the left and top; at most two have a weight above 0 at a pixel.
    """

    whole: Size
    tile: Size
    columns: tuple[Span, ...]
    rows: tuple[Span, ...]

    @property
    def tiles(self) -> tuple[tuple[Span, Span], ...]:
        """(column, row) of each tile, row by row."""
        return tuple((column, row) for row in self.rows for column in self.columns)


def tile_picture(whole: Size, tile: Size, margin: int | None, multiple: int = 1) -> Tiling:
    """Divide an image into tiles; `whole` and `tile` are (width, height), multiples of `multiple`.

    Args:
        margin: receptive field to each side: pixels to discard at an edge between tiles. None if unknown.
        multiple: tiles begin at multiples of this.
    """
    columns, rows = (_spans(*sides, margin, multiple) for sides in zip(whole, tile, strict=True))
    return Tiling(whole, tile, columns, rows)


def _spans(whole: int, tile: int, margin: int | None, multiple: int) -> tuple[Span, ...]:
    if whole <= tile:
        return (Span(0, (0, 0), (whole, whole)),)
    margin = _UNKNOWN_MARGIN if margin is None else margin
    wanted = 2 * margin + _RAMP
    # A tile advances by at least a quarter, even if it is all margin; seams may then be visible.
    step = max(1, tile - min(wanted, 3 * tile // 4)) // multiple * multiple or multiple
    count = 1 + math.ceil((whole - tile) / step)
    starts = [(whole - tile) * at // (count - 1) // multiple * multiple for at in range(count)]
    pairs = list(pairwise(starts))
    ramp = min(_RAMP, *(after - before for before, after in pairs))  # otherwise three tiles would overlap
    seams = [_seam(after, before + tile, margin, ramp) for before, after in pairs]
    rises = [(0.0, 0.0), *seams]
    falls = [*seams, (float(whole), float(whole))]
    return tuple(Span(*each) for each in zip(starts, rises, falls, strict=True))


def _seam(start: int, end: int, margin: int, ramp: int) -> tuple[float, float]:
    """Return the blend's range: the middle of the overlap and, if possible, where both tiles are valid."""
    overlap = end - start
    trusted = overlap - 2 * margin
    half = min(ramp, trusted if trusted > 0 else overlap // 4) / 2
    middle = (start + end) / 2
    return middle - half, middle + half
