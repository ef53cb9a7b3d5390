"""Weights that a pass computes from others, in the type that they are stored in."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

_LARGEST: Final = 65504.0
_SMALLEST: Final = 1.5e-5
"""Root of the mean square from which float16's smallest step, 6e-8, loses at most 2e-3 of numbers."""


def stored_weights(weights: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """Return float64 weights in the type of those that they are made from.

    None if float16, in which a network may be computed whatever its file has, would not hold them: they leave its
    range, or are so small that it loses their digits.
    """
    with np.errstate(over="ignore", under="ignore"):
        stored = weights.astype(dtype)
    flat = (weights if dtype == np.float16 else stored).reshape(-1)
    if not flat.size or not math.isfinite(square := float(flat @ flat)):
        return stored
    fits = max(float(flat.max()), -float(flat.min())) <= _LARGEST
    return stored if fits and (square == 0 or math.sqrt(square / flat.size) >= _SMALLEST) else None
