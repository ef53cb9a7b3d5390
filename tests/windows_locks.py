"""Windows' locks of files, for tests that run elsewhere."""

from __future__ import annotations

import errno
import os
import sys

import pytest


class WindowsLocks:
    """As the module `msvcrt`: locks bytes where a file stands, for one descriptor, until that is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self._held: dict[tuple[int, int], int] = {}

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        """See `msvcrt.locking`.

        Raises:
            PermissionError: another descriptor has the byte.
        """
        assert (mode, count) == (self.LK_NBLCK, 1)
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        file = os.fstat(descriptor)
        # A file is read whole while it is locked, what is locked nobody else reads, and no file has so many
        # bytes.
        assert place > file.st_size + (1 << 30)
        holder = self._held.get((file.st_ino, place))
        if holder not in (None, descriptor) and _is_open(holder, file):
            raise PermissionError(errno.EACCES, "Permission denied")
        self._held[file.st_ino, place] = descriptor


def use_windows_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program take this system for Windows, with locks as there."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", WindowsLocks())


def _is_open(descriptor: int, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), file)
    except OSError:
        return False
