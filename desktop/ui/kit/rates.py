"""Recent rate of dropped frames, from monotonic counters."""

from __future__ import annotations

from collections import deque
from typing import Final

_SECONDS: Final = 5.0


class DropRate:
    """The fraction of received frames that were not shown, over the last seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int, int]] = deque()

    def add(self, now: float, shown: int, dropped: int) -> None:
        """Add the counters at a time in seconds; a decrease (new source or device) restarts it."""
        last = self._samples[-1] if self._samples else (now, 0, 0)
        if shown < last[1] or dropped < last[2]:
            self._samples.clear()
        self._samples.append((now, shown, dropped))
        # One sample older than the window is retained: the rate is the difference to it.
        while len(self._samples) > 2 and now - self._samples[1][0] >= _SECONDS:
            self._samples.popleft()

    @property
    def share(self) -> float:
        """The rate, 0..1; 0 if nothing was received."""
        if not self._samples:
            return 0.0
        (_, shown0, dropped0), (_, shown1, dropped1) = self._samples[0], self._samples[-1]
        came = shown1 - shown0 + dropped1 - dropped0
        return (dropped1 - dropped0) / came if came else 0.0
