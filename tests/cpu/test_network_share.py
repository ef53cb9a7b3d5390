"""The part of a frame's time that is left to networks."""

from __future__ import annotations

import pytest

from desktop.pipeline.network_share import NetworkShare


def test_half_of_the_time_where_nothing_is_measured():
    assert NetworkShare().of(20.0) == 10.0


@pytest.mark.parametrize(("others", "networks", "expected"), [(1.0, 1, 24.0), (5.0, 2, 10.0), (5.0, 0, 20.0)])
def test_networks_share_what_filters_leave(others, networks, expected):
    share = NetworkShare()
    share.took(others, networks)
    assert share.of(100 / 3) == pytest.approx(expected)


@pytest.mark.parametrize(("networks", "expected"), [(1, 5.0), (2, 2.5)])
def test_a_chain_that_takes_all_leaves_a_quarter(networks, expected):
    share = NetworkShare()
    share.took(30.0, networks)
    assert share.of(20.0) == expected


def test_one_slow_frame_changes_little_and_a_slower_chain_is_felt():
    share = NetworkShare()
    share.took(2.0, 1)
    share.took(12.0, 1)
    assert share.of(40.0) == pytest.approx(30 - 3)
    for _ in range(40):
        share.took(12.0, 1)
    assert share.of(40.0) == pytest.approx(18.0, abs=0.2)
