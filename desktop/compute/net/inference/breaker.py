"""When a server that fails is asked again: not at once, and by itself (M. Nygard, "Release It!", 2nd edition, "Circuit Breaker")."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from desktop.compute.net.inference.wire import CallFailed

Result = TypeVar("Result")

_FAILURES: Final = 3
_FIRST_S: Final = 1.0
_LONGEST_S: Final = 15.0
_JITTER: Final = 0.25
_ATTEMPTS: Final = 3
_BACKOFF_S: Final = 0.1


class Breaker:
    """Counts failures in a row. After three, or one of a server that was not reached, it is open: nobody calls for a while.

    Then it is half-open: one call tries. If that fails the next while is twice as long, up to 15 s; each differs by up to a quarter, so
    that the clients of a server that comes back do not all come at once.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, chance: random.Random | None = None
    ) -> None:
        self._clock = clock
        self._chance = chance or random.Random()
        self._failures = 0
        self._opened = 0
        self._until = 0.0

    @property
    def pause_s(self) -> float:
        """Seconds until the next call is worth it; 0 where it is now."""
        return max(0.0, self._until - self._clock())

    @property
    def is_half_open(self) -> bool:
        """True where the next call is a trial."""
        return self._opened > 0 and self.pause_s == 0

    def succeeded(self) -> None:
        """A call was answered as it should be."""
        self._failures = self._opened = 0
        self._until = 0.0

    def failed(self, error: CallFailed) -> None:
        """A call was not."""
        self._failures += 1
        if self._opened or error.untouched or self._failures >= _FAILURES:
            wait = min(_FIRST_S * 2.0 ** min(self._opened, 10), _LONGEST_S)
            self._until = self._clock() + wait * self._chance.uniform(1 - _JITTER, 1 + _JITTER)
            self._opened += 1


def retried(call: Callable[[float], Result], timeout_s: float, stop: threading.Event) -> Result:
    """Call, and again after a short random wait where the request cannot have been taken up; three times at most, in one time-out.

    What may have been taken up is not sent again: a server that is too slow would have the more to do, and the next picture asks anyway.

    Args:
        call: gets the seconds that are left.
        timeout_s: for all of it.
        stop: set where nobody waits any more.

    Raises:
        CallFailed: the last one.
    """
    until = time.monotonic() + timeout_s
    for attempt in range(_ATTEMPTS):
        try:
            return call(max(0.05, until - time.monotonic()))
        except CallFailed as error:
            wait = random.uniform(0.2, 1.0) * _BACKOFF_S * 2**attempt
            last = attempt == _ATTEMPTS - 1 or time.monotonic() + wait >= until
            if last or not error.untouched or stop.wait(wait):
                raise
    raise AssertionError("the last attempt returns or raises")
