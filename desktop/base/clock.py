"""The clock that waits and timeouts go by, so that a trial can make months of them pass within an hour."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Clock:
    """A monotonic clock that runs `speed` times as fast as the machine's."""

    speed: float = 1.0

    def now(self) -> float:
        """Return the time in seconds; at speed 1.0 that of `time.perf_counter()`."""
        return time.perf_counter() * self.speed

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait for so many seconds of this clock, or until an event is set; return True if it is."""
        return event.wait(self.real(seconds))

    def real(self, seconds: float) -> float:
        """Return how long that is by the machine's clock, for libraries with timeouts of their own."""
        return seconds / self.speed


MACHINE_CLOCK: Final = Clock()
"""The clock of everything that is not a trial."""
