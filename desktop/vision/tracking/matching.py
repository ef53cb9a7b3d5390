"""Match boxes with tracks: overlaps, and the best assignment (Jonker and Volgenant 1987, by `lapx`).

Not SciPy's `linear_sum_assignment`: it adds 140 MB, ten times as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import lap
import numpy as np


@dataclass(frozen=True)
class Pairs:
    """Candidate pairs (int64 [k] each) of two sets, with their similarity, float32 [k], 0 to 1.

    Few boxes of a frame overlap, so the list is a hundredth of the matrix.
    """

    first: np.ndarray
    second: np.ndarray
    likeness: np.ndarray

    def taken(self, which: np.ndarray) -> Pairs:
        """Return a selection of pairs."""
        return Pairs(self.first[which], self.second[which], self.likeness[which])

    def without_rivals(self) -> Pairs:
        """Return the pairs whose members are in no other pair."""
        return self.taken(
            (np.bincount(self.first)[self.first] == 1) & (np.bincount(self.second)[self.second] == 1)
        )


def overlapping(first: np.ndarray, second: np.ndarray, growth: np.ndarray | None = None) -> Pairs:
    """Return the overlapping boxes (left, top, right, bottom; float64 [n, 4], [m, 4]), with their IoU.

    Args:
        growth: [n], enlargement of both boxes on each side, in their sizes.
    """
    # A row an edge: with a row a box each step takes twice as long. Not sorted: slower for 300 boxes.
    a, b = np.ascontiguousarray(first.T, np.float32), np.ascontiguousarray(second.T, np.float32)
    if growth is None:
        reach_a, reach_b = a, b
    else:
        most = growth.max(initial=0.0).astype(np.float32)
        reach_a, reach_b = _grown(a, most), _grown(b, most)
    touching = reach_a[0][:, None] < reach_b[2]
    touching &= reach_a[2][:, None] > reach_b[0]
    touching &= reach_a[1][:, None] < reach_b[3]
    touching &= reach_a[3][:, None] > reach_b[1]
    # In one dimension: `nonzero` of a matrix takes three times as long.
    rows, columns = np.divmod(np.flatnonzero(touching), max(1, len(second)))
    a, b = a[:, rows], b[:, columns]
    if growth is not None:
        by = growth.astype(np.float32)[rows]
        a, b = _grown(a, by), _grown(b, by)
    across = np.minimum(a[2], b[2]) - np.maximum(a[0], b[0])
    down = np.minimum(a[3], b[3]) - np.maximum(a[1], b[1])
    both = np.maximum(across, 0.0) * np.maximum(down, 0.0)
    return Pairs(rows, columns, both / (_areas(a) + _areas(b) - both))


def _grown(edges: np.ndarray, by: np.ndarray) -> np.ndarray:
    more = by * (edges[2:] - edges[:2])
    return np.concatenate((edges[:2] - more, edges[2:] + more))


def _areas(edges: np.ndarray) -> np.ndarray:
    return (edges[2] - edges[0]) * (edges[3] - edges[1])


def near(first: np.ndarray, second: np.ndarray, reach: float, least_size: float) -> Pairs:
    """Return the boxes whose centers are less than `reach` of their sizes apart, more similar if nearer."""
    sizes_a, sizes_b = (first[:, 2:] - first[:, :2])[:, None], (second[:, 2:] - second[:, :2])[None]
    apart = ((second[:, :2] + second[:, 2:])[None] - (first[:, :2] + first[:, 2:])[:, None]) / (
        sizes_a + sizes_b
    )
    away = np.hypot(apart[..., 0], apart[..., 1])
    alike = (np.minimum(sizes_a, sizes_b) >= least_size * np.maximum(sizes_a, sizes_b)).all(axis=2)
    rows, columns = np.nonzero((away < reach) & alike)
    return Pairs(rows, columns, (1.0 - away[rows, columns] / reach).astype(np.float32))


def assigned(pairs: Pairs, least: float) -> Pairs:
    """Return the one-to-one assignment of greatest total `likeness - least`, each pair at least `least`."""
    pairs = pairs.taken(pairs.likeness > least)
    if not len(pairs.first):
        return pairs
    # Pairs without rivals need no solver, and those are nearly all.
    alone = (np.bincount(pairs.first)[pairs.first] == 1) & (np.bincount(pairs.second)[pairs.second] == 1)
    others = pairs.taken(~alone)
    if not len(others.first):
        return pairs
    rows, row_of = np.unique(others.first, return_inverse=True)
    columns, column_of = np.unique(others.second, return_inverse=True)
    # A forbidden pair costs as much as leaving out both, so leaving out needs no rows and columns.
    cost = np.zeros((len(rows), len(columns)))
    cost[row_of, column_of] = least - others.likeness
    chosen_rows, chosen_columns = lap.lapjvx(cost, extend_cost=True, return_cost=False)
    column_for = np.full(len(rows), -1)
    column_for[chosen_rows] = chosen_columns
    solved = others.taken(column_for[row_of] == column_of)
    apart = pairs.taken(alone)
    return Pairs(
        np.concatenate((apart.first, solved.first)),
        np.concatenate((apart.second, solved.second)),
        np.concatenate((apart.likeness, solved.likeness)),
    )
