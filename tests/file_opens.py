"""Count of opens of a file, by Python or by a library's own code."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

_IN_ACCESS, _IN_CLOSE, _IN_OPEN = 0x1, 0x18, 0x20
_EVENT = struct.Struct("iIII")


class Opens:
    """Counts the opens of a file since this was made: by inotify on Linux, elsewhere those that Python makes."""

    def __init__(self, path: Path) -> None:
        self._count = 0
        self._path = os.fspath(path)
        if sys.platform == "linux":
            libc = ctypes.CDLL(None, use_errno=True)
            self._watch = libc.inotify_init1(os.O_NONBLOCK)
            # Equal events that follow one another come as one: reading and closing keep two opens apart.
            mask = _IN_OPEN | _IN_ACCESS | _IN_CLOSE
            assert libc.inotify_add_watch(self._watch, os.fsencode(path), mask) >= 0
        else:
            sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and str(arguments[0]) == self._path:
            self._count += 1

    def __del__(self) -> None:
        # A user may have 128 of them.
        if sys.platform == "linux" and hasattr(self, "_watch"):
            os.close(self._watch)

    @property
    def count(self) -> int:
        """Opens so far."""
        if sys.platform != "linux":
            return self._count
        while True:
            try:
                data = os.read(self._watch, 1 << 16)
            except BlockingIOError:
                return self._count
            self._count += sum(bool(mask & _IN_OPEN) for _, mask, _, _ in _EVENT.iter_unpack(data))
