"""The learning rate over samples seen: warm-up, stable, decay (Hägele et al. 2024; Hu et al. 2024).

Constant after the warm-up, then linear to zero over the last share of all samples. Any checkpoint of the
stable phase can go on for longer: nothing in it depends on where the training will end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """`warmup`: samples of linear growth; `decay_share`: the last share of all samples, over which the rate
    falls; 0 for none.
    """

    peak: float
    warmup: int
    decay_share: float = 0.0

    def rate(self, seen: int, start: int, end: float) -> float:
        """Return the learning rate at `seen` samples in a run from `start` to `end`.

        A run that is shorter than the decay decays from its first sample, from the peak.
        """
        growth = min(1.0, (seen + 1) / max(1, self.warmup))
        return self.peak * growth * self.left(seen, start, end)

    def left(self, seen: int, start: int, end: float) -> float:
        """Return the share that the decay has left of the rate: 1 in the stable phase and without a known
        end, 0 at the end.
        """
        if not self.decay_share or math.isinf(end):
            return 1.0
        span = max(1.0, min(self.decay_share * end, end - start))
        return min(1.0, max(0.0, (end - seen) / span))
