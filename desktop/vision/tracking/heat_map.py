"""Heat map of presence: seconds in each cell of a grid over the frame, and its colors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.vision.tasks.shapes import Position

_ACROSS: Final = 96
_MOST_DOWN: Final = 288
# Longest time that a frame represents: a pause is not presence.
_LONGEST_S: Final = 0.5
# From cold to hot, with the opacity; linear in between.
_COLORS: Final = np.array(
    [
        (0.10, 0.16, 0.60, 0.0),
        (0.05, 0.60, 0.85, 0.45),
        (0.20, 0.85, 0.35, 0.6),
        (1.0, 0.85, 0.1, 0.7),
        (0.9, 0.1, 0.1, 0.8),
    ]
)


@dataclass(frozen=True)
class HeatImage:
    """A heat map of cells: R'G'B'A bytes, 8 bits each, straight alpha, row by row, to lay over the frame."""

    width: int
    height: int
    pixels: bytes = field(repr=False)


class HeatMap:
    """Accumulates the seconds of objects in each cell; float64 [rows, columns]."""

    def __init__(self) -> None:
        self.seconds: NDArray[np.float64] = np.zeros((1, _ACROSS))
        self._last: float | None = None

    def add(self, places: Sequence[Position], pts: float, aspect: float) -> None:
        """Add the positions of objects, in fractions, at a time; none is added unless after the previous one.

        `pts` is presentation time in seconds; a change of `aspect` (width by height) starts a new map.
        """
        rows = min(_MOST_DOWN, max(1, round(_ACROSS / aspect)))
        if rows != len(self.seconds):
            self.seconds = np.zeros((rows, _ACROSS))
            self._last = None
        passed = 0.0 if self._last is None else min(_LONGEST_S, max(0.0, pts - self._last))
        self._last = pts
        if places and passed:
            x, y = np.clip(np.array(places), 0.0, 1.0 - 1e-9).T
            np.add.at(self.seconds, ((y * rows).astype(int), (x * _ACROSS).astype(int)), passed)

    def cut(self) -> None:
        """Note that the next frame does not follow the last one."""
        self._last = None

    def reset(self) -> None:
        """Start again."""
        self.seconds[:] = 0.0
        self._last = None

    def image(self) -> HeatImage | None:
        """Return the map as colors, scaled to the hottest cell; None if it is empty."""
        hottest = self.seconds.max()
        if not hottest:
            return None
        # The square root, because one cell in which a person waits would otherwise leave the paths dark.
        heat = np.sqrt(_softened(self.seconds))
        heat /= heat.max()
        steps = np.linspace(0.0, 1.0, len(_COLORS))
        colors = np.stack([np.interp(heat, steps, channel) for channel in _COLORS.T], axis=-1)
        rows, columns = heat.shape
        return HeatImage(columns, rows, np.rint(colors * 255).astype(np.uint8).tobytes())


def _softened(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread each cell over its neighbors, by the binomial weights 1 4 6 4 1 across and down."""
    weights = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
    for axis in (0, 1):
        padded = np.pad(cells, [(2, 2) if a == axis else (0, 0) for a in (0, 1)])
        length = cells.shape[axis]
        parts = [w * np.take(padded, range(i, i + length), axis=axis) for i, w in enumerate(weights)]
        cells = np.add.reduce(parts)
    return cells
