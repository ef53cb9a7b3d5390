"""Tiles of a frame that a detector processes beside the whole frame, so that small objects are found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.vision.models.preprocess import Preprocess, SourceBox
from desktop.vision.tasks.task import Integer, Size

TILES: Final = Integer(
    name="tiles",
    label=sentence("Tiles"),
    help=sentence(
        "Small objects are looked for in N x N overlapping tiles as well as in the whole frame; 2 takes five times as long."
    ),
    option="also process N x N overlapping tiles of the frame, for small objects, 1 to 4 (default: 1, no tiles)",
    metavar="N",
    default=1,
    min=1,
    max=4,
    live=False,
)
_OVERLAP: Final = 0.25
"""Fraction of a tile that it shares with the next: an object up to that size is whole in one of them."""
_EDGE: Final = 0.02
"""Fraction of a tile along its inner edges where a box may end because the tile does."""
_CROPS: Final = ("crop", "stretched_crop")
_ROUNDING: Final = 1e-6
"""Most by which rounding separates a tile's outer edge from the frame's, as a fraction of the strip of `_EDGE`."""


@dataclass(frozen=True)
class TilePreprocess(Preprocess):
    """Preprocessing of a tile; `tile` is its left, top, right and bottom in fractions of what the network sees of
    the whole frame: all of it, or with the placements of `_CROPS` its middle, which is cropped before it is divided.
    """

    tile: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)

    def region(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of what is divided into tiles, in pixels of a frame."""
        if self.resize not in _CROPS:
            return 0.0, 0.0, width, height
        whole = super().box(width, height)
        return whole.x, whole.y, whole.x + whole.width, whole.y + whole.height

    def corners(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Return the tile's left, top, right and bottom in pixels of a frame, at least one pixel apart: whole ones,
        but for the placements of `_CROPS`.
        """
        if self.resize in _CROPS:
            x, y, right, bottom = self.region(width, height)
            across, down = right - x, bottom - y
            return (
                x + self.tile[0] * across,
                y + self.tile[1] * down,
                x + self.tile[2] * across,
                y + self.tile[3] * down,
            )
        left, top = int(self.tile[0] * width), int(self.tile[1] * height)
        return (
            left,
            top,
            max(left + 1, round(self.tile[2] * width)),
            max(top + 1, round(self.tile[3] * height)),
        )

    def box(self, width: int, height: int) -> SourceBox:
        """See `Preprocess`: of the tile."""
        left, top, right, bottom = self.corners(width, height)
        if self.resize in _CROPS:  # already in the input's aspect, or stretched to it
            return SourceBox(left, top, right - left, bottom - top, 0, 0, self.width, self.height)
        inside = super().box(round(right - left), round(bottom - top))
        return replace(inside, x=inside.x + left, y=inside.y + top)


def frame_and_tiles(preprocess: Preprocess, count: int) -> tuple[Preprocess, ...]:
    """Return the preprocessing of the whole frame and, for a `count` above 1, of `count` x `count` tiles."""
    if count == 1:
        return (preprocess,)
    side = 1.0 / (count - (count - 1) * _OVERLAP)
    starts = [number * side * (1.0 - _OVERLAP) for number in range(count)]
    tiles = ((left, top, left + side, top + side) for top in starts for left in starts)
    return (preprocess, *(TilePreprocess(**vars(preprocess), tile=tile) for tile in tiles))


def is_complete(boxes: np.ndarray, preprocess: Preprocess, size: Size) -> np.ndarray:
    """Return bool (n,): boxes (n, 4), in pixels of a frame of a size, that no inner edge of the tile cuts off."""
    if not isinstance(preprocess, TilePreprocess):
        return np.ones(len(boxes), bool)
    left, top, right, bottom = preprocess.corners(*size)
    outer = preprocess.region(*size)
    across, down = _EDGE * (right - left), _EDGE * (bottom - top)
    inner = (
        left > outer[0],
        top > outer[1],
        right < outer[2] - _ROUNDING * across,
        bottom < outer[3] - _ROUNDING * down,
    )
    beyond = np.stack(
        (
            boxes[:, 0] < left + across,
            boxes[:, 1] < top + down,
            boxes[:, 2] > right - across,
            boxes[:, 3] > bottom - down,
        )
    )
    return ~beyond[np.array(inner)].any(0)
