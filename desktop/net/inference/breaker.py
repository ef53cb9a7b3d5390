"""Circuit breaker and retries for calls to inference servers (M. Nygard, "Release It!", 2nd edition)."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from desktop.net.inference.wire import CallFailed

Result = TypeVar("Result")

_FAILURES: Final = 3
_FIRST_S: Final = 1.0
_LONGEST_S: Final = 15.0
_JITTER: Final = 0.25
_ATTEMPTS: Final = 3
_BACKOFF_S: Final = 0.1


class Breaker:
    """Opens after three consecutive failures, or one to connect: no calls are made for a while, then one is
    tried. Each failure doubles the pause, up to 15 s, varied by up to a quarter to spread the clients of a
    recovered server.
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
        """Seconds until the next call may be made; 0 if now."""
        return max(0.0, self._until - self._clock())

    @property
    def is_half_open(self) -> bool:
        """True if the next call is a trial."""
        return self._opened > 0 and self.pause_s == 0

    def succeeded(self) -> None:
        """Record a successful call."""
        self._failures = self._opened = 0
        self._until = 0.0

    def failed(self, error: CallFailed) -> None:
        """Record a failed call."""
        self._failures += 1
        if self._opened or error.untouched or self._failures >= _FAILURES:
            wait = min(_FIRST_S * 2.0 ** min(self._opened, 10), _LONGEST_S)
            self._until = self._clock() + wait * self._chance.uniform(1 - _JITTER, 1 + _JITTER)
            self._opened += 1


def retried(call: Callable[[float], Result], timeout_s: float, stop: threading.Event) -> Result:
    """Call with the remaining seconds, at most three times, until `timeout_s` in all or `stop` is set.

    Only a request that cannot have been processed is repeated, after a short random pause: others would
    burden a slow server, and the next image makes a new request anyway. Raise the last CallFailed.
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
