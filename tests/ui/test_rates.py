"""The share of pictures that were dropped, from counters."""

from __future__ import annotations

import pytest

from desktop.ui.kit.rates import DropRate


def test_the_share_is_of_the_last_seconds():
    rate = DropRate()
    assert rate.share == 0.0
    for second in range(20):
        rate.add(float(second), 30 * second, 10 * min(second, 10))
    # In the last five seconds nothing was dropped, before that a quarter was.
    assert rate.share == 0.0
    for second in range(20, 23):
        rate.add(float(second), 30 * 19 + 10 * (second - 19), 100 + 10 * (second - 19))
    # Of those five seconds two had 30 pictures, three had 10 and dropped 10.
    assert rate.share == pytest.approx(30 / (2 * 30 + 3 * 20))


def test_counters_that_begin_anew_are_not_negative():
    rate = DropRate()
    rate.add(0.0, 100, 50)
    rate.add(1.0, 5, 0)
    rate.add(2.0, 15, 10)
    assert rate.share == 0.5
