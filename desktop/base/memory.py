"""Return freed memory to the system: a network takes hundreds of megabytes.

Two things retain it. glibc gives each thread a heap of its own, eight for each core, and a heap whose newest block is in use returns
nothing: 25 networks of 1 to 6 MB, one after the other, left 510 MB unused. And a failed load is a reference cycle of an exception and its
frames, with the weights in them, which Python's collector examines only after 50,000 new objects (`__main__.py`). Weighed: a fixed
threshold above which blocks are mapped (M_MMAP_THRESHOLD), which would fault in each frame's buffers again.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

_M_ARENA_MAX: Final = -8
_HEAPS: Final = 2
_DELAY_S: Final = 0.3


@functools.cache
def _glibc() -> Any:
    """glibc's functions; None where there is another library."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None


def limit_heaps() -> None:
    """Have all threads share two heaps from now on; those that there are stay."""
    if (library := _glibc()) is not None:
        library.mallopt(_M_ARENA_MAX, _HEAPS)


def give_back() -> None:
    """Collect cycles and return freed memory to the system. Takes tens of milliseconds, during which other threads stop.

    Objects in cycles are destroyed on the calling thread. With Qt that must be its own: see `DelayedMemoryTrim`.
    """
    gc.collect()
    trim_heaps()


def trim_heaps() -> None:
    """Return freed memory to the system; on any thread."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


class DelayedMemoryTrim:
    """Returns memory to the system a moment after something large was released, when its last users have ended. Not thread-safe.

    Cycles are collected by `poll`, on the caller's thread: they may contain Qt objects, which must be destroyed on their own. The heaps are
    trimmed on another thread, without waiting.
    """

    def __init__(
        self, collect: Callable[[], object] = gc.collect, trim: Callable[[], None] = trim_heaps
    ) -> None:
        self._collect, self._trim = collect, trim
        self._due_at: float | None = None

    def request(self) -> None:
        """Note that something large was released. Later calls do not postpone the trim, or many short-lived objects would pile up."""
        if self._due_at is None:
            self._due_at = time.monotonic() + _DELAY_S

    def poll(self) -> None:
        """Return memory to the system if it is due; to be called regularly."""
        if self._due_at is None or time.monotonic() < self._due_at:
            return
        self._due_at = None
        self._collect()
        threading.Thread(target=self._trim, name="trim heaps", daemon=True).start()
