"""Confidence intervals by drawing the pictures of a measurement again and again (Efron 1979)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

DRAWS: Final = 400
_EDGES: Final = (2.5, 97.5)


@dataclass(frozen=True)
class Figure:
    """A figure of some pictures, and the ends of its interval of 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return e.g. '0.458 (0.41 to 0.51)'."""
        return f"{self.value:.3f} ({self.low:.2f} to {self.high:.2f})"


def figure(of: Callable[[np.ndarray], float], pictures: int, draws: int = DRAWS, seed: int = 0) -> Figure:
    """Return what `of` gives for all pictures, whose indices it gets, with its interval."""
    rng = np.random.default_rng(seed)
    values = [of(rng.integers(0, pictures, pictures)) for _ in range(draws)] if pictures else [0.0]
    low, high = np.percentile(values, _EDGES)
    return Figure(of(np.arange(pictures)), float(low), float(high))
