"""What the C library's allocator is told, so that a process that runs for hours stays as small as what it holds.

glibc gives threads heaps of their own ("arenas"); decoders, compilers and encoders come and go with each source, and what they free
stays in pieces in whichever arena they had. Nothing leaks, but resident memory creeps up with each change of source (docs/facts.md).
Other systems' allocators are left alone.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any, Final

_M_ARENA_MAX: Final = -8  # malloc.h
_ARENAS: Final = 2


@functools.cache
def _glibc() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    # musl has neither.
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None


def share_arenas() -> None:
    """Let all threads share two arenas. To be called by a composition root, before it starts threads."""
    library = _glibc()
    if library is not None:
        library.mallopt(_M_ARENA_MAX, _ARENAS)


def return_freed_memory() -> None:
    """Give what is free in the arenas back to the system: some milliseconds, for when a source has been closed."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)
