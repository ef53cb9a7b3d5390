"""Whether one way takes longer than another, or it only looks so: the bootstrap interval of the difference of two medians.

As Criterion does it (https://bheisler.github.io/criterion.rs/book/analysis.html): both samples are drawn again from themselves many
times, and the middle 95 % of the differences of their medians are the interval (Efron & Tibshirani, An Introduction to the Bootstrap,
1993, ch. 13). An interval that holds 0, or a difference below 1 %, Criterion's noise threshold, is no difference.

The draws are not made. The k-th smallest of n numbers that are drawn again from n sorted ones is the one at the place floor(n u), where
u is the k-th smallest of n uniform numbers, which is distributed as Beta(k, n + 1 - k) (David & Nagaraja, Order Statistics, 2003, 2.3);
of an even n both middle ones are drawn together. So 10,000 draws take some milliseconds however many times there are, and are those of
the plain way.
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
"""Share of the first median below which a difference is none."""
LEAST: Final = 10
"""Times of each that there must be: with fewer the interval of a median is too narrow."""


@dataclass(frozen=True)
class Difference:
    """What the second way takes more than the first, in the unit of the times.

    Attributes:
        median: of the second less that of the first.
        low, high: the ends of the 95 % interval of that.
        share: `median`, and `shares` the ends, as a share of the first's median.
        verdict: of the second; 'unknown' where there are too few times.
    """

    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    share: float = 0.0
    shares: tuple[float, float] = (0.0, 0.0)
    verdict: Verdict = "unknown"

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Difference:
        """Return what `json` gave."""
        return cls(**{**document, "shares": tuple(document["shares"])})

    def json(self) -> dict[str, Any]:
        """The fields by their names, rounded to a millionth."""
        numbers = {name: round(getattr(self, name), 6) for name in ("median", "low", "high", "share")}
        return {**numbers, "shares": [round(each, 6) for each in self.shares], "verdict": self.verdict}


def difference_of(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Difference:
    """Return how the second way's times differ from the first's; the same for the same times and seed.

    Args:
        first, second: times, finite and above 0, that are independent of each other; not pairs.
        seed: of the generator.
    """
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
    """Return medians, float64 [draws], of as many numbers as there are, drawn from them with replacement.

    Args:
        ordered: float64 [n], sorted.
    """
    count = len(ordered)
    upper = count // 2 + 1
    above = generator.beta(upper, count + 1 - upper, draws)
    if count % 2:
        return ordered[_places(above, count)]
    # Given the one above, the others below it are uniform up to it, and the one before it is their greatest.
    below = above * generator.beta(upper - 1, 1, draws)
    return (ordered[_places(below, count)] + ordered[_places(above, count)]) / 2


def _places(shares: np.ndarray, count: int) -> np.ndarray:
    return np.minimum((shares * count).astype(np.int64), count - 1)
