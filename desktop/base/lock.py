"""Locks of files, which the system releases when the process that holds them ends, however it ends."""

from __future__ import annotations

import os
import sys
from typing import IO, Any, Final

# The last offset that Windows' C library can address with 32 bits.
_LOCKED_BYTE: Final = (1 << 31) - 2


def take_lock(stream: IO[Any], *, required: bool = True) -> bool:
    """Lock an open file until it is closed; False if another process has the lock or deleted the file.

    `stream` is open for binary writing. Raise OSError if the lock is `required` and the file system has none.
    """
    try:
        if sys.platform == "win32":
            _lock_a_byte(stream)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        if required:
            raise
    return os.fstat(stream.fileno()).st_nlink > 0


def _lock_a_byte(stream: IO[Any]) -> None:
    """Lock a byte beyond the end: Windows locks at the stream's position and denies reading locked bytes."""
    import msvcrt

    place = stream.tell()
    stream.seek(_LOCKED_BYTE)
    try:
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    finally:
        stream.seek(place)
