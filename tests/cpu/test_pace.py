"""Duration of the read-back thread's sleep before it waits in the driver."""

from __future__ import annotations

import time

import pytest

from desktop.compute.gpu.pace import Pace


def frame(pace, duration):
    """Wait for a frame as the read-back thread does; return the seconds slept, and waited for in the driver."""
    begun = time.perf_counter()
    rest = pace.rest(begun)
    time.sleep(rest)
    left = begun + duration - time.perf_counter()
    time.sleep(max(0.0, left))
    pace.finished(begun, was_awaited=left > 0.0)
    return rest, left


def test_a_first_frame_is_waited_for_in_the_driver():
    assert Pace().rest(time.perf_counter()) == 0.0


@pytest.mark.parametrize("duration", [0.004, 0.02])
def test_most_of_a_frame_is_slept_through(duration):
    pace = Pace()
    for _ in range(10):
        frame(pace, duration)
    rests = sorted(frame(pace, duration)[0] for _ in range(15))
    # A sleep that ends after the frame, as on Windows, halves what is expected.
    assert 0.4 * duration < rests[7] < 1.1 * duration


def test_a_frame_is_expected_from_the_end_of_the_one_before():
    pace = Pace()
    for _ in range(20):
        frame(pace, 0.01)
    # Submitted long ago, behind the frame that has just ended: the GPU has only begun it.
    assert 0.004 < pace.rest(time.perf_counter() - 1.0) < 0.015


def test_shorter_frames_are_learned_at_once():
    pace = Pace()
    for _ in range(20):
        frame(pace, 0.02)
    for _ in range(3):
        frame(pace, 0.002)
    assert pace.rest(time.perf_counter()) < 0.012


def test_one_long_frame_changes_nothing():
    pace = Pace()
    for _ in range(10):
        frame(pace, 0.004)
    frame(pace, 0.1)
    assert pace.rest(time.perf_counter()) < 0.008
