"""Text files that a stranger may have written: read whole, but never more than is asked for, and never from a device."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def read_small_file(path: Path, limit: int) -> bytes:
    """Return a regular file's bytes.

    Raises:
        OSError: it cannot be read, is no regular file (a pipe or a device could be read for ever) or is larger than `limit` bytes;
            `strerror` says which.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a file")
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit >> 20} MiB")
    return data


def reason(error: OSError | ValueError) -> str:
    """Return why a file could not be read or written, for the end of a sentence; ValueError is what a path with a NUL in it gives."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else "its name is not a file name"
