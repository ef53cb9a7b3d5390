"""Weights that a pass computes from others, in the type that they are stored in."""

from __future__ import annotations

from typing import Final

import numpy as np

_MOST_LOST: Final = 2e-3
"""Of the weights' norm; rounding numbers of float16's range to it loses 2e-4."""


def stored_weights(weights: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """Return float64 weights in the type of those that they are made from.

    None if float16, in which a network may be computed whatever its file has, would not hold them: they leave its
    range, or are so small that it loses their digits.
    """
    with np.errstate(over="ignore", under="ignore"):
        half = weights.astype(np.float16).astype(np.float64)
        stored = weights.astype(dtype)
    if not np.isfinite(weights).all():
        return stored
    holds = np.linalg.norm(half - weights) <= _MOST_LOST * np.linalg.norm(weights)
    return stored if holds and np.isfinite(stored).all() else None
