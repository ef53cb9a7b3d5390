"""Requests that are computed together: allowed by what a row's numbers depend on, not by how they are
rounded.
"""

from __future__ import annotations

import numpy as np
import pytest

from desktop.serving.joining import batching_obstacle

ROWS = tuple(
    {"x": np.random.default_rng(seed).standard_normal((1, 16)).astype(np.float32)} for seed in range(3)
)


def verdict(two, one=None, *, is_half=False):
    """What is said of a network whose session for two rows computes `two` of x, and the one for a row `one`."""
    return batching_obstacle(
        lambda feeds: {"y": two(feeds["x"])},
        lambda feeds: {"y": (one or two)(feeds["x"])},
        ROWS,
        is_half=is_half,
    )


def row_by_row(x):
    return np.tanh(x) * 3


def rounded(x):
    """Off by some 1 % of the largest number: as a deep network in half precision whose other kernels sum in
    another order.
    """
    return row_by_row(x) * np.float32(1.01)


def test_rows_that_are_alone_are_joined():
    assert verdict(row_by_row) == ""


def test_half_precision_may_round_otherwise_for_two_rows():
    assert verdict(rounded, row_by_row, is_half=True) == ""
    assert verdict(lambda x: rounded(x).astype(np.float16), lambda x: row_by_row(x).astype(np.float16)) == ""
    assert "other numbers for two rows than for one" in verdict(rounded, row_by_row)


@pytest.mark.parametrize("is_half", (False, True))
@pytest.mark.parametrize(
    "network",
    (
        lambda x: x - 0.01 * x.mean(0),  # every row looks at every other, a little
        lambda x: np.cumsum(x, 0) * 0.01 + x,  # the second looks at the first alone
        lambda x: x + 0.01 * x[-1:],  # the first looks at the last alone
        lambda x: x + 0.01 * np.arange(len(x))[:, None],  # none looks at another, but each knows its place
    ),
    ids=("mean", "behind", "before", "place"),
)
def test_rows_that_depend_on_others_or_their_place_are_not(network, is_half):
    """A hundredth of what the looser comparison of half precision allows to rounding is found all the same."""
    assert "depend on the rows beside them" in verdict(network, is_half=is_half)


def test_both_rows_wrong_alike_are_found_in_half_precision_too():
    assert "for two rows than for one" in verdict(lambda x: x * 2, lambda x: x, is_half=True)


@pytest.mark.parametrize(
    "network",
    (lambda x: x[:1], lambda x: x.reshape(-1), lambda x: np.float32(1.0), lambda x: x.sum(0)),
    ids=("one row", "flat", "scalar", "none"),
)
def test_outputs_without_a_row_for_each_row(network):
    assert "has not a row for each row" in verdict(lambda x: np.asarray(network(x)))


def test_numbers_that_are_none_agree_with_themselves():
    assert verdict(lambda x: np.where(x > 0, np.nan, x)) == ""
