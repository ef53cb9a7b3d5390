"""The bootstrap interval of the difference of two medians, against SciPy's, and what it makes of samples
whose truth is known.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from desktop.base.significance import DRAWS, LEAST, Difference, difference_of, drawn_medians
from desktop.bench.inference.candidate import DEVICE, HOST, OWN, TEXTURE, Candidate
from desktop.bench.inference.run import rows_of
from desktop.cli._difference import difference_text


def times(seed: int, count: int, median: float = 10.0, spread: float = 0.1) -> np.ndarray:
    """Times as they are measured: most near the median, some far above."""
    return median * np.random.default_rng(seed).lognormal(0.0, spread, count)


@pytest.mark.parametrize(("first", "second"), [(41, 41), (40, 60), (101, 30), (500, 333)])
def test_the_interval_is_scipys(first, second):
    a, b = times(1, first), times(2, second, 10.4)
    found = difference_of(a.tolist(), b.tolist())

    def statistic(x, y, axis=-1):
        return np.median(y, axis=axis) - np.median(x, axis=axis)

    expected = stats.bootstrap(
        (a, b), statistic, n_resamples=20_000, method="percentile", vectorized=True, batch=2000, rng=3
    ).confidence_interval
    # Both are of chance: some hundredths of the interval's width apart.
    near = 0.06 * (expected.high - expected.low)
    assert found.low == pytest.approx(expected.low, abs=near)
    assert found.high == pytest.approx(expected.high, abs=near)
    assert found.median == pytest.approx(np.median(b) - np.median(a))


@pytest.mark.parametrize("count", [10, 11, 50, 51])
def test_drawn_medians_are_distributed_as_those_of_real_draws(count):
    """Kolmogorov's and Smirnov's test of 10,000 against 10,000, at a level of one in a thousand."""
    ordered = np.sort(times(5, count))
    generator = np.random.default_rng(7)
    real = np.median(generator.choice(ordered, (DRAWS, count)), axis=1)
    assert stats.ks_2samp(drawn_medians(ordered, generator), real, method="asymp").pvalue > 1e-3


def test_equal_ways_are_called_equal_and_others_are_not():
    equal = [difference_of(times(2 * n, 200), times(2 * n + 1, 200)).verdict for n in range(100)]
    # 95 % by the interval; of the others those below one per cent as well.
    assert equal.count("same") >= 90
    slower = [difference_of(times(2 * n, 200), times(2 * n + 1, 200, 11.0)).verdict for n in range(100)]
    assert slower.count("slower") >= 99
    faster = [difference_of(times(2 * n, 200, 11.0), times(2 * n + 1, 200)).verdict for n in range(100)]
    assert faster.count("faster") >= 99


def test_what_is_certain_but_tiny_is_no_difference():
    found = difference_of([10.0] * 50, [10.05] * 50)
    assert (found.low, found.high) == pytest.approx((0.05, 0.05)) and found.verdict == "same"
    assert difference_of([10.0] * 50, [10.2] * 50).verdict == "slower"


def test_few_times_say_nothing_and_outliers_little():
    assert difference_of([1.0] * (LEAST - 1), [2.0] * 100).verdict == "unknown"
    a = times(1, 101, spread=0.01)
    b = a.copy()
    b[:20] *= 100
    assert difference_of(a, np.where(np.arange(101) < 3, b, a)).verdict == "same"


def test_the_same_times_give_the_same_answer():
    a, b = times(1, 60).tolist(), times(2, 60).tolist()
    assert difference_of(a, b) == difference_of(a, b)
    there, back = difference_of(a, b), difference_of(b, a)
    assert there.median == -back.median and there.json()["verdict"] == there.verdict


def test_peers_are_compared_with_what_runs_in_the_same_way():
    def candidate(engine, precision, mode):
        return Candidate(engine, precision, mode, lambda: 1.0)

    candidates = [
        candidate(OWN, "fp16", HOST),
        candidate(OWN, "fp32", HOST),
        candidate(OWN, "fp32", DEVICE),
        candidate("peer", "fp32", HOST),
        candidate("same", "fp32", HOST),
        candidate("peer", "fp16", TEXTURE),
    ]
    measured = [
        times(1, 100, 5.0),
        times(2, 100),
        times(3, 100, 1.0),
        times(4, 100, 20.0),
        times(5, 100),
        times(6, 100),
    ]
    rows = rows_of("net", candidates, measured)
    verdicts = [None if row.difference is None else row.difference.verdict for row in rows]
    assert verdicts == [None, None, None, "slower", "same", None]
    assert rows[3].difference.share == pytest.approx(1.0, abs=0.1), "twice as long as that in fp32"
    assert (rows[3].p50, rows[3].p99) == pytest.approx(np.percentile(measured[3], (50, 99)), abs=1e-4)


def test_what_is_said_of_a_difference():
    slower = difference_of([10.0] * 20, [12.0] * 20)
    assert difference_text(slower) == "slower (median +20.0 %, 95 % interval +20.0 to +20.0 %)"
    assert difference_text(difference_of([10.0] * 20, [10.0] * 20)).startswith("no different (median +0.0 %")
    assert difference_text(difference_of([1.0], [2.0])) == ""
    assert Difference.of(slower.json()) == slower
