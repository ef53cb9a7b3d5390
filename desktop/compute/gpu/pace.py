"""Estimate the remaining GPU time of a frame, so that a thread sleeps instead of waiting in the driver.

A wait in the driver holds a lock that each submission takes, in both libraries: the next frame would be
submitted only when the last one is finished (H200, 3840x2160: 5 of 7 ms). So most of the time is slept
through, and only its end is waited for, which is exact.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Final

_MARGIN_S: Final = 1.5e-4
_MARGIN: Final = 0.1


class Pace:
    """The time that frames take on the GPU: the least of the last ones. For one thread."""

    def __init__(self) -> None:
        self._took_s: deque[float] = deque((0.0,), maxlen=4)
        self._finished_at = 0.0

    def rest(self, submitted_at: float) -> float:
        """Return the seconds for which a frame surely goes on; `submitted_at` by `time.perf_counter()`."""
        expected = min(self._took_s)
        ends = max(submitted_at, self._finished_at) + expected
        return max(0.0, ends - max(_MARGIN_S, _MARGIN * expected) - time.perf_counter())

    def finished(self, submitted_at: float, *, was_awaited: bool) -> float:
        """Learn from a frame that has just finished, or, if not awaited, some time ago; return the time."""
        now = time.perf_counter()
        took = now - max(submitted_at, self._finished_at)
        self._took_s.append(took if was_awaited else 0.5 * took)
        self._finished_at = now
        return now
