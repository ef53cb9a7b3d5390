"""Test whether two timing samples differ: a bootstrap confidence interval of the medians' difference.

As in Criterion (https://bheisler.github.io/criterion.rs/book/analysis.html), the interval is the middle 95 %
of resampled differences of medians (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13). One
that contains 0, or a difference below 1 %, counts as no difference.

Resampled medians are drawn directly: the k-th smallest of n resampled numbers is at index floor(n u), u from
Beta(k, n + 1 - k) (David & Nagaraja, Order Statistics, 2003, 2.3); for an even n both middle ones jointly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

Verdict = Literal["faster", "slower", "same", "unknown"]

DRAWS: Final = 10_000
LEVEL: Final = 0.95
NOISE: Final = 0.01
"""Fraction of the first median below which a difference is ignored."""
LEAST: Final = 10
"""Minimum sample size: with fewer the interval of a median is too narrow."""


@dataclass(frozen=True)
class Difference:
    """Difference of the second sample's times from the first's, in the unit of the times.

    Attributes:
        low, high: 95 % confidence interval of the difference of medians.
        share, shares: `median` and the interval relative to the first median.
        `verdict`: rating of the second; 'unknown' if there are too few times.
    """

    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    share: float = 0.0
    shares: tuple[float, float] = (0.0, 0.0)
    verdict: Verdict = "unknown"

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Difference:
        """Parse the output of `json`."""
        return cls(**{**document, "shares": tuple(document["shares"])})

    def json(self) -> dict[str, Any]:
        """Return the fields by name, rounded to a millionth."""
        numbers = {name: round(getattr(self, name), 6) for name in ("median", "low", "high", "share")}
        return {**numbers, "shares": [round(each, 6) for each in self.shares], "verdict": self.verdict}


def difference_of(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Difference:
    """Return the difference between samples of independent times above 0; deterministic for a seed."""
    if min(len(first), len(second)) < LEAST:
        return Difference()
    a, b = (np.sort(np.asarray(times, np.float64)) for times in (first, second))
    generator = np.random.default_rng(seed)
    draws = drawn_medians(b, generator) - drawn_medians(a, generator)
    low, high = (float(each) for each in np.percentile(draws, (50 * (1 - LEVEL), 50 * (1 + LEVEL))))
    base = float(np.median(a))
    median = float(np.median(b)) - base
    share = median / base
    verdict: Verdict = "same"
    if not low <= 0.0 <= high and abs(share) >= NOISE:
        verdict = "slower" if median > 0 else "faster"
    return Difference(median, low, high, share, (low / base, high / base), verdict)


def drawn_medians(ordered: np.ndarray, generator: np.random.Generator, draws: int = DRAWS) -> np.ndarray:
    """Return medians, float64 [draws], of resamples of `ordered`, float64 [n], sorted."""
    count = len(ordered)
    upper = count // 2 + 1
    above = generator.beta(upper, count + 1 - upper, draws)
    if count % 2:
        return ordered[_places(above, count)]
    # Given the upper middle number, those below are uniform up to it; the lower middle one is their maximum.
    below = above * generator.beta(upper - 1, 1, draws)
    return (ordered[_places(below, count)] + ordered[_places(above, count)]) / 2


def _places(shares: np.ndarray, count: int) -> np.ndarray:
    return np.minimum((shares * count).astype(np.int64), count - 1)
