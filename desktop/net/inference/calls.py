"""The server calls of one piece of work, so that another thread can end them when its result is not needed.

Connections find their `Calls` in the thread's context (contextvars), as twelve functions between would have
to pass a parameter on.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Abortable(Protocol):
    """Something that waits for a server."""

    def abort(self) -> None:
        """End what is under way, and refuse what comes later; on any thread."""


class Calls:
    """Connections that were made inside `here`. `abort` on any thread."""

    def __init__(self) -> None:
        self._made: weakref.WeakSet[Abortable] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._aborted = False

    @contextmanager
    def here(self) -> Iterator[None]:
        """Attribute the connections that this thread opens meanwhile to this call."""
        before = _work.set(self)
        try:
            yield
        finally:
            _work.reset(before)

    def abort(self) -> None:
        """End the calls that are under way, and those that begin later."""
        with self._lock:
            self._aborted = True
            made = list(self._made)
        for each in made:
            each.abort()

    def add(self, connection: Abortable) -> None:
        """Take note of a connection."""
        with self._lock:
            self._made.add(connection)
            aborted = self._aborted
        if aborted:
            connection.abort()


_work: ContextVar[Calls | None] = ContextVar("work", default=None)


def note(connection: Abortable) -> None:
    """Let the work that this thread is at know of a connection; nothing where it is at none."""
    calls = _work.get()
    if calls is not None:
        calls.add(connection)
