"""Work on another thread that may be abandoned before it is done."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Generic, Protocol, TypeVar

from desktop.net.inference.calls import Calls


class Closable(Protocol):
    """Result of a job."""

    def close(self) -> None:
        """Release it."""


_T = TypeVar("_T", bound=Closable)


class Job(Generic[_T]):
    """Work that was handed to an executor."""

    def __init__(
        self, executor: Executor, work: Callable[[], _T], done: Callable[[], None] = lambda: None
    ) -> None:
        """Submit the work; `done` is called on some thread when it is over."""
        self._calls = Calls()
        self._future: Future[_T] = executor.submit(self._run, work)
        self._future.add_done_callback(lambda _: done())

    def _run(self, work: Callable[[], _T]) -> _T:
        with self._calls.here():
            return work()

    @property
    def is_done(self) -> bool:
        """True if `result` would return at once."""
        return self._future.done()

    def result(self) -> _T:
        """Wait for the result and return it, or raise the exception of the work."""
        return self._future.result()

    def abandon(self) -> None:
        """Abandon the work: it is not started, or its calls to servers end and its result is closed."""
        if not self._future.cancel():
            self._calls.abort()
            self._future.add_done_callback(_close)


def _close(future: Future[_T]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().close()
