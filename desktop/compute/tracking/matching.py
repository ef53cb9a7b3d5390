"""Which box is which track: overlaps, and the best assignment of one to the other.

The assignment is that of Jonker and Volgenant (1987) by `lapx`: 0.3 MB, NumPy alone below it, and what ByteTrack's and OC-SORT's own code
use. Weighed: SciPy's `linear_sum_assignment`, which is as good and brings 110 MB that nothing else here needs.
"""

from __future__ import annotations

from collections.abc import Sequence

import lap
import numpy as np


def overlaps(first: np.ndarray, second: np.ndarray, growth: np.ndarray | None = None) -> np.ndarray:
    """Return the IoU of each box with each of others, float32 [n, m].

    Args:
        first, second: float64 [n, 4] and [m, 4] of left, top, right, bottom.
        growth: [n], by how much both boxes are made larger on each side, in their own sizes.
    """
    a, b = first.T.astype(np.float32)[:, :, None], second.T.astype(np.float32)[:, None, :]
    if growth is not None:
        a, b = _grown(a, growth.astype(np.float32)[:, None]), _grown(b, growth.astype(np.float32)[:, None])
    width = np.minimum(a[2], b[2])
    width -= np.maximum(a[0], b[0])
    np.maximum(width, 0.0, out=width)
    both = np.minimum(a[3], b[3])
    both -= np.maximum(a[1], b[1])
    np.maximum(both, 0.0, out=both)
    both *= width
    either = _areas(a) + _areas(b)
    either -= both
    both /= either
    return both


def _grown(boxes: Sequence[np.ndarray], by: np.ndarray) -> tuple[np.ndarray, ...]:
    left, top, right, bottom = boxes
    across, down = by * (right - left), by * (bottom - top)
    return left - across, top - down, right + across, bottom + down


def _areas(boxes: Sequence[np.ndarray]) -> np.ndarray:
    return (boxes[2] - boxes[0]) * (boxes[3] - boxes[1])


def assigned(likeness: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs (rows, columns) of the assignment whose sum of `likeness - least` is the greatest; none is below `least`.

    Args:
        likeness: [n, m], 0 to 1.
        least: of a pair.
    """
    likely = likeness > least
    rows, columns = np.nonzero(likely)
    # Who stands apart from the others needs no solving, and that is nearly everybody.
    alone = (likely.sum(axis=1)[rows] == 1) & (likely.sum(axis=0)[columns] == 1)
    others = ~alone
    if not others.any():
        return rows, columns
    some_rows, some_columns = np.unique(rows[others]), np.unique(columns[others])
    # What may not be costs as much as being left out, so that leaving out needs no rows and columns of its own.
    cost = np.minimum(least - likeness[np.ix_(some_rows, some_columns)], 0.0).astype(np.float64)
    found_rows, found_columns = lap.lapjvx(cost, extend_cost=True, return_cost=False)
    real = cost[found_rows, found_columns] < 0.0
    return (
        np.concatenate((rows[alone], some_rows[found_rows[real]])),
        np.concatenate((columns[alone], some_columns[found_columns[real]])),
    )
