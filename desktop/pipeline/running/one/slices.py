"""Slices of one inference over several frames: choose the steps that fit into a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Slice:
    """The steps `start` to `stop` of one inference, and whether they are its last."""

    start: int
    stop: int
    finished: bool


class SlicePlan:
    """Chooses how many steps of an inference fit into a frame, from each step's time in earlier slices."""

    def __init__(self, steps: int, guess_ms: float = 0.2) -> None:
        self._costs = np.full(steps, guess_ms)

    @property
    def steps(self) -> int:
        """Steps of one whole inference."""
        return len(self._costs)

    @property
    def total_ms(self) -> float:
        """Estimated time of one whole inference."""
        return float(self._costs.sum())

    def stop(self, start: int, budget_ms: float) -> int:
        """Return the end of the longest slice from `start` that is estimated to fit; at least one step."""
        fits = int(np.searchsorted(np.cumsum(self._costs[start:]), budget_ms, side="right"))
        return min(self.steps, start + max(1, fits))

    def measured(self, start: int, stop: int, ms: float) -> None:
        """Record the GPU time `ms` of the steps from `start` to `stop`."""
        part = self._costs[start:stop]
        if part.size and ms > 0.0:
            # Halfway to the new value: a measurement may be disturbed by another program.
            part *= 0.5 + 0.5 * ms / float(part.sum())
