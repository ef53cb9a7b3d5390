"""Overall deadline of a network request, including the connection."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from concurrent.futures import Future
from typing import Any


class Deadline:
    """Shuts down a request's connections, and cancels its waits, unless extended or stopped in time, on one
    sleeping thread that ends with the request.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._handles: list[socket.socket] = []
        self._expected: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._cut = False
        self.passed = False
        threading.Thread(target=self._wait, name="deadline", daemon=True).start()

    def put_off(self) -> None:
        """Restart the countdown after progress."""
        self._until = time.monotonic() + self._seconds

    def stop(self) -> None:
        """Cancel the deadline."""
        self._stopped.set()
        with self._lock:
            for handle in self._handles:
                handle.close()
            self._handles.clear()

    def watch(self, sock: socket.socket) -> None:
        """Register a new connection of the request, by a duplicate handle, since TLS detaches this one."""
        with self._lock:
            if self._cut:
                raise ConnectionAbortedError("stopped")
            self._handles.append(sock.dup())

    def expect(self, promise: Future[Any]) -> None:
        """Register a future that the request waits for; `keep` sets its result."""
        with self._lock:
            if self._cut:
                raise ConnectionAbortedError("stopped")
            self._expected.add(promise)

    def deliver(self, promise: Future[Any], found: Any, error: Exception | None = None) -> None:
        """Set the result of a future, on any thread; ignored if the request has ended meanwhile."""
        with self._lock:
            if promise not in self._expected:
                return
            self._expected.discard(promise)
        if error is None:
            promise.set_result(found)
        else:
            promise.set_exception(error)

    def cut(self) -> None:
        """Shut down present and future connections now, and cancel all waits."""
        with self._lock:
            self._cut = True
            for promise in self._expected:
                promise.set_exception(ConnectionAbortedError("stopped"))
            self._expected.clear()
            for handle in self._handles:
                with contextlib.suppress(OSError):
                    handle.shutdown(socket.SHUT_RDWR)

    def _wait(self) -> None:
        while not self._stopped.wait(max(0.0, self._until - time.monotonic())):
            if time.monotonic() >= self._until:
                self.passed = True
                self.cut()
                return
