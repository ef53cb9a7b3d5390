"""A queue with a bound, through which the server's thread has calls made on the program's."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Final, TypeVar

from desktop.base.errors import LightloomError, ServingError
from desktop.serving.faults import fault_of

Result = TypeVar("Result")

_MOST: Final = 32
_BUDGET_S: Final = 0.01
_ANSWER_S: Final = 5.0


class CallQueue:
    """Calls that wait for the program's thread, which makes them in order by `run_due`."""

    def __init__(self, wake: Callable[[], None], *, most: int = _MOST, answer_s: float = _ANSWER_S) -> None:
        """Hold at most `most` calls; `wake` has the program's thread call `run_due`, from any thread.

        A call that was not made within `answer_s` seconds is dropped.
        """
        self._wake, self._most, self._answer_s = wake, most, answer_s
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Callable[[], object], Future[object]]] = deque()
        self._is_closed = False

    async def call(self, work: Callable[[], Result]) -> Result:
        """Return what `work` returns on the program's thread. Raises ServingError."""
        results: list[Result] = []
        future: Future[object] = Future()
        with self._lock:
            if self._is_closed:
                raise _ended()
            if len(self._waiting) >= self._most:
                raise ServingError("full", "The program has too many requests waiting; send fewer.")
            self._waiting.append((lambda: results.append(work()), future))
        self._wake()
        try:
            await asyncio.wait_for(asyncio.wrap_future(future), self._answer_s)
        except TimeoutError:
            raise ServingError(
                "late", f"The program did not respond within {self._answer_s:g} seconds; try again."
            ) from None
        except (asyncio.CancelledError, CancelledError):
            if self._is_closed:
                raise _ended() from None
            raise
        return results[0]

    def run_due(self) -> None:
        """Make the calls that wait, for a few milliseconds; more are left for the next turn of its loop."""
        until = time.monotonic() + _BUDGET_S
        while time.monotonic() < until:
            with self._lock:
                if not self._waiting:
                    return
                work, future = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                _make(work, future)
        self._wake()

    def close(self) -> None:
        """Refuse the calls that wait and all that follow."""
        with self._lock:
            self._is_closed = True
            waiting = list(self._waiting)
            self._waiting.clear()
        for _, future in waiting:
            future.cancel()


def _ended() -> ServingError:
    return ServingError("unavailable", "Remote control is being switched off; switch it on again.")


def _make(work: Callable[[], object], future: Future[object]) -> None:
    try:
        work()
    except ServingError as error:
        future.set_exception(error)
    except LightloomError as error:
        # The request is not possible, as opposed to a fault of the program.
        future.set_exception(ServingError("invalid", str(error)))
    except Exception as error:
        # A bug in one call ends neither the window nor the server; it is logged.
        future.set_exception(fault_of(error))
    else:
        future.set_result(None)
