"""Frames on their way from the thread that renders to one that writes them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

AHEAD: Final = 3
"""Maximum number of frames that wait for a writer."""

Fetch = Callable[[], np.ndarray]
"""Waits for a frame that is on its way from the GPU, on any thread; uint8 [height, width, 4]."""


class PictureQueue:
    """Queue of frames to write; they are `dropped` while `AHEAD` are queued: the display never waits."""

    def __init__(self) -> None:
        self.dropped = 0
        self._items: queue.Queue[tuple[Fetch, float] | None] = queue.Queue()
        self._lock = threading.Lock()
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """Number of frames that wait or are being fetched."""
        return self._waiting

    def offer(self, begin: Callable[[], Fetch | None], at: float) -> None:
        """Queue a frame, or drop it; `begin` is called only if there is space, and may return None. `at` is
        when it was shown, on the writer's clock in seconds.
        """
        if self._waiting >= AHEAD:
            self.dropped += 1
            return
        fetch = begin()
        if fetch is None:
            return
        with self._lock:
            self._waiting += 1
        self._items.put((fetch, at))

    def end(self) -> None:
        """No frame comes any more; those that wait are still taken."""
        self._items.put(None)

    def take(self, timeout: float | None = None) -> tuple[Fetch, float] | None:
        """Wait for the next frame, None at the end; TimeoutError after `timeout`. It counts until fetched."""
        try:
            item = self._items.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError from None
        if item is None:
            return None
        fetch, at = item
        return lambda: self._fetched(fetch), at

    def _fetched(self, fetch: Fetch) -> np.ndarray:
        try:
            return fetch()
        finally:
            with self._lock:
                self._waiting -= 1

    def __iter__(self) -> Iterator[tuple[Fetch, float]]:
        """Yield all until the end."""
        while (item := self.take()) is not None:
            yield item


class SharedFetch:
    """One frame that several writers want: fetched once, by the first of them; the others wait for it."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch: Fetch | None = fetch
        self._lock = threading.Lock()
        self._picture: np.ndarray | None = None
        self._error: Exception | None = None

    def __call__(self) -> np.ndarray:
        """Return the frame, read-only; what `fetch` raises is raised for all."""
        with self._lock:
            if self._fetch is not None:
                fetch, self._fetch = self._fetch, None
                try:
                    self._picture = fetch()
                    self._picture.flags.writeable = False
                except Exception as error:
                    self._error = error
            if self._picture is None:
                assert self._error is not None
                raise self._error
            return self._picture
