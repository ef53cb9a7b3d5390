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
    """Collect cycles, and give free memory back to the system. Takes tens of milliseconds, during which other threads stand still."""
    gc.collect()
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


class LateReturn:
    """Gives memory back a moment after something large was let go of: what still uses it has ended then."""

    def __init__(self, act: Callable[[], None] = give_back) -> None:
        self._act = act
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __call__(self) -> None:
        """Something large was let go of. Not put off by what follows: many that come and go quickly are not to pile up."""
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(_DELAY_S, self._run)
                self._timer.daemon = True
                self._timer.start()

    def _run(self) -> None:
        with self._lock:
            self._timer = None
        self._act()

    def close(self) -> None:
        """Forget what is still to come."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
