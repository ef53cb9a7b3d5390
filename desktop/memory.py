"""Gives memory that is free back to the system: what a network takes is hundreds of megabytes, and it comes and goes.

Two things keep it. glibc gives each thread a heap of its own, eight for each core, and of a heap whose newest block is in use nothing goes
back: 25 networks of 1 to 6 MB, one after the other, left 510 MB that nobody used. And a failed load is a cycle of an exception and the
frames that it passed, with the weights in them, of which Python's collector hears when 50,000 objects have come (`__main__.py`).
Weighed: a fixed threshold above which blocks are mapped (M_MMAP_THRESHOLD), which would fault in each frame's buffers anew.
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
    """Collect cycles, and give free memory back to the system. Takes tens of milliseconds, during which other threads stand still.

    Objects of cycles end on the calling thread. Where Qt runs that is to be its own: see `DelayedMemoryTrim`.
    """
    gc.collect()
    trim_heaps()


def trim_heaps() -> None:
    """Give free memory back to the system; on any thread."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


class DelayedMemoryTrim:
    """Gives memory back a moment after something large was let go of: what still uses it has ended then. For one thread.

    Cycles are collected by `poll`, on that thread: among what they hold may be objects of Qt, which may only end on their own. The heaps
    are trimmed on another, which nobody waits for.
    """

    def __init__(
        self, collect: Callable[[], object] = gc.collect, trim: Callable[[], None] = trim_heaps
    ) -> None:
        self._collect, self._trim = collect, trim
        self._due_at: float | None = None

    def request(self) -> None:
        """Something large was let go of. Not put off by what follows: many that come and go quickly are not to pile up."""
        if self._due_at is None:
            self._due_at = time.monotonic() + _DELAY_S

    def poll(self) -> None:
        """Give memory back where that is due; to be called now and then."""
        if self._due_at is None or time.monotonic() < self._due_at:
            return
        self._due_at = None
        self._collect()
        threading.Thread(target=self._trim, name="trim heaps", daemon=True).start()
