"""The clock that waits and timeouts go by."""

from __future__ import annotations

import threading
import time

import pytest

from desktop.base.clock import Clock


def test_a_clock_that_runs_faster_waits_less():
    clock, event = Clock(100.0), threading.Event()
    begun, simulated = time.perf_counter(), clock.now()
    assert not clock.wait(event, 10.0)
    took, passed = time.perf_counter() - begun, clock.now() - simulated
    assert took >= 0.1 and passed >= 10.0 and clock.real(10.0) == 0.1
    event.set()
    assert clock.wait(event, 1e6)


def test_the_machines_clock_is_that_of_frames():
    assert Clock().now() == pytest.approx(time.perf_counter(), abs=1.0)
