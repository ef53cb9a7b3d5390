"""Append-only files of JSON lines; killing the program damages at most the last line. Lines are not flushed
to the disk: after a power failure callers must verify the content (spread/run_journal.py has checksums).
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from io import FileIO
from pathlib import Path
from typing import Any, Final

from desktop.base.files import open_regular
from desktop.base.lock import take_lock

_MALFORMED: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class InUseError(Exception):
    """Another process writes to the journal."""


class Tail(IntEnum):
    """State of a journal behind its valid lines, from the least harm to the most."""

    NOTHING = 0
    TORN = 1  # a line without its end: the program ended while it wrote
    MALFORMED = 2  # malformed lines only
    DAMAGED = 3  # malformed lines, and then valid ones


@dataclass(frozen=True)
class Recovery:
    """Usable part of a journal: a number of valid lines, their `end` in bytes, and the `tail` after them. `end` is
    that of the lines before the damage.
    """

    lines: int
    end: int
    tail: Tail


def recover(path: Path, take: Callable[[Any], None], *, skip_malformed: bool = False) -> Recovery:
    """Read a journal; raise OSError or ValueError if that is impossible. `take` is called with each line's
    value, also after malformed lines, and raises ValueError, TypeError, LookupError, AttributeError or
    ArithmeticError for a malformed one. With `skip_malformed` the lines behind malformed ones are read too, as each
    stands for itself; otherwise reading ends with the first of them.
    """
    lines = end = 0
    tail = Tail.NOTHING
    with open_regular(path) as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                tail = max(tail, Tail.TORN)
                continue
            try:
                take(json.loads(line))
            except _MALFORMED:
                tail = max(tail, Tail.MALFORMED)
                continue
            if tail and not skip_malformed:
                return Recovery(lines, end, Tail.DAMAGED)
            if tail:
                tail, lines = Tail.DAMAGED, lines + 1
            else:
                lines, end = lines + 1, end + len(line)
    return Recovery(lines, end, tail)


def first_entry(path: Path) -> Any:
    """Return the value of a journal's first line, None if it is malformed or truncated; may raise OSError."""
    with open_regular(path) as stream:
        line = stream.readline()
    try:
        return json.loads(line) if line.endswith(b"\n") else None
    except _MALFORMED:
        return None


def begins_with(path: Path, head: bytes) -> bool:
    """Return True if a file is `head` truncated, or begins with it; raise OSError or ValueError."""
    with open_regular(path) as stream:
        return head.startswith(stream.read(len(head)))


def _open_no_link(path: str, flags: int) -> int:
    # Windows has no such flag.
    if Path(path).is_symlink():
        raise OSError(errno.ELOOP, "it is a symbolic link")
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


class JournalFile:
    """A journal that is open for writing; `end` is its size in bytes. Not thread-safe."""

    def __init__(
        self, path: Path, *, create: bool = False, locked: bool = True, follows_link: bool = True
    ) -> None:
        """Open a journal, unchanged; `cut` it before appending. Raise OSError or ValueError if that fails.

        Args:
            create: make a missing file.
            locked: exclude other processes, if the file system has locks: InUseError if one has locked it.
            follows_link: open what a symbolic link points to; otherwise it is an OSError.
        """
        self.path = path
        self.end = 0
        self._stream = FileIO(path, "a" if create else "r+", opener=None if follows_link else _open_no_link)
        if locked and not take_lock(self._stream, required=False):
            self.close()
            raise InUseError

    def cut(self, end: int) -> None:
        """Remove all from an offset in bytes on; lines are appended there."""
        self._stream.truncate(end)
        self._stream.seek(end)
        self.end = end

    def append(self, lines: bytes) -> None:
        """Append complete lines, all or none; raise OSError if they cannot be written."""
        rest, begun = memoryview(lines), self.end
        try:
            while rest:
                rest = rest[self._stream.write(rest) :]
        except OSError:
            # Half a line in the middle would make the file unreadable.
            with contextlib.suppress(OSError):
                self.cut(begun)
            raise
        self.end += len(lines)

    def is_intact(self) -> bool:
        """Return True if no other program has replaced or changed the file."""
        own = os.fstat(self._stream.fileno())
        try:
            # On Windows an open file cannot be replaced.
            is_own = os.name == "nt" or os.path.samestat(self.path.stat(), own)
        except FileNotFoundError:
            is_own = False
        return is_own and own.st_size == self.end

    def close(self) -> None:
        """Close the file, which stays."""
        self._stream.close()

    def delete(self, remove: Callable[[], None]) -> None:
        """Close the file, and have `remove` delete it or its folder."""
        if os.name == "nt":
            self.close()  # Windows cannot delete open files
        # Still locked: another process gets a new file, or is refused.
        remove()
        self.close()
