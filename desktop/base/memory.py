"""Return freed memory to the system: a network takes hundreds of megabytes.

A heap of glibc whose newest block is in use returns nothing: 25 networks of 1 to 6 MB left 510 MB unused. A
failed load is a reference cycle with the weights, collected only after 50,000 new objects. Not
M_MMAP_THRESHOLD: each frame's buffers would be faulted in again.
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
    """Collect cycles on the calling thread (with Qt the main one, see `DelayedMemoryTrim`) and return freed
    memory. Stops other threads for tens of milliseconds.
    """
    gc.collect()
    trim_heaps()


def trim_heaps() -> None:
    """Return freed memory to the system; on any thread."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


class DelayedMemoryTrim:
    """Returns memory to the system a moment after a large release. Not thread-safe. `poll` collects cycles on
    the caller's thread, where Qt objects must be destroyed; another thread trims the heaps.
    """

    def __init__(
        self, collect: Callable[[], object] = gc.collect, trim: Callable[[], None] = trim_heaps
    ) -> None:
        self._collect, self._trim = collect, trim
        self._due_at: float | None = None

    def request(self) -> None:
        """Note a large release. Later calls do not postpone the trim, or small objects would accumulate."""
        if self._due_at is None:
            self._due_at = time.monotonic() + _DELAY_S

    def poll(self) -> None:
        """Return memory to the system if it is due; to be called regularly."""
        if self._due_at is None or time.monotonic() < self._due_at:
            return
        self._due_at = None
        self._collect()
        threading.Thread(target=self._trim, name="trim heaps", daemon=True).start()
