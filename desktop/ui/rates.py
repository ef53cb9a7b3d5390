"""How much was dropped lately, from counters that only grow."""

from __future__ import annotations

from collections import deque
from typing import Final

_SECONDS: Final = 5.0


class DropRate:
    """The share of pictures that came and were not shown, over the last seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int, int]] = deque()

    def add(self, now: float, shown: int, dropped: int) -> None:
        """Take in the counters at a time in seconds; smaller ones than before begin anew (another source, another device)."""
        last = self._samples[-1] if self._samples else (now, 0, 0)
        if shown < last[1] or dropped < last[2]:
            self._samples.clear()
        self._samples.append((now, shown, dropped))
        # One sample older than the span stays: the difference to it is what is told.
        while len(self._samples) > 2 and now - self._samples[1][0] >= _SECONDS:
            self._samples.popleft()

    @property
    def share(self) -> float:
        """In 0..1; 0 where nothing came."""
        if not self._samples:
            return 0.0
        (_, shown0, dropped0), (_, shown1, dropped1) = self._samples[0], self._samples[-1]
        came = shown1 - shown0 + dropped1 - dropped0
        return (dropped1 - dropped0) / came if came else 0.0
