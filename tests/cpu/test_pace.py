"""Duration of the read-back thread's sleep before it waits in the driver, with simulated time."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from desktop.compute.gpu import pace as module
from desktop.compute.gpu.pace import Pace


class Clock:
    """Time that passes by `sleep` alone, and exactly."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=made.perf_counter))
    return made


def frame(clock, pace, duration):
    """Wait for a frame as the read-back thread does; return the seconds slept, and waited for in the driver."""
    begun = clock.perf_counter()
    rest = pace.rest(begun)
    clock.sleep(rest)
    left = begun + duration - clock.perf_counter()
    clock.sleep(max(0.0, left))
    pace.finished(begun, was_awaited=left > 0.0)
    return rest, left


def test_a_first_frame_is_waited_for_in_the_driver(clock):
    assert Pace().rest(clock.perf_counter()) == 0.0


@pytest.mark.parametrize("duration", [0.004, 0.02])
def test_most_of_a_frame_is_slept_through(clock, duration):
    pace = Pace()
    for _ in range(10):
        frame(clock, pace, duration)
    rests = sorted(frame(clock, pace, duration)[0] for _ in range(15))
    assert 0.5 * duration < rests[7] < 1.1 * duration


def test_a_frame_is_expected_from_the_end_of_the_one_before(clock):
    pace = Pace()
    for _ in range(20):
        frame(clock, pace, 0.01)
    # Submitted long ago, behind the frame that has just ended: the GPU has only begun it.
    assert 0.004 < pace.rest(clock.perf_counter() - 1.0) < 0.015


def test_shorter_frames_are_learned_at_once(clock):
    pace = Pace()
    for _ in range(20):
        frame(clock, pace, 0.02)
    for _ in range(3):
        frame(clock, pace, 0.002)
    assert pace.rest(clock.perf_counter()) < 0.012


def test_one_long_frame_changes_nothing(clock):
    pace = Pace()
    for _ in range(10):
        frame(clock, pace, 0.004)
    frame(clock, pace, 0.1)
    assert pace.rest(clock.perf_counter()) < 0.008
