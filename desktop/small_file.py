"""Text files that a stranger may have written: read whole, but never more than is asked for, and never from a device."""

from __future__ import annotations

from pathlib import Path

from desktop.files import read_regular, reason

__all__ = ["read_small_file", "reason"]


def read_small_file(path: Path, limit: int) -> bytes:
    """Return a regular file's bytes.

    Raises:
        OSError: it cannot be read, is no regular file (a pipe or a device could be read for ever) or is larger than `limit` bytes;
            `strerror` says which.
        ValueError: the path has a NUL in it.
    """
    return read_regular(path, limit)
