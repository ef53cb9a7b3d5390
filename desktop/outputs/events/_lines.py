"""Appending lines to a file of a user's, whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from desktop.base.files import (
    check_folder_writable,
    exists,
    has_unknown_home,
    home_expanded,
    reason,
    remedy,
    resolved,
)
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.outputs.events.action import Postponed, Refused

_HEAD: Final = 4096
# What does not become otherwise by itself.
_FOR_GOOD: Final = frozenset({errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.ENOTDIR, errno.ELOOP})


def user_path(text: str) -> Path:
    """Return a user's path with '~' expanded. Raises Refused if there is no such user."""
    if has_unknown_home(text):
        raise Refused(
            sentence("{path} is of a user who is not known here", path=text[:80]),
            sentence("write the full path"),
        )
    return home_expanded(text)


def shown_path(text: str) -> str:
    """Return an entered path in full, links and '..' resolved, so that a question shows the real one."""
    try:
        return printable(str(resolved(user_path(text))))
    except (Refused, OSError, ValueError):
        return printable(text)


def check_lines_file(path: Path, head: bytes, is_own: Callable[[bytes], bool] | None = None) -> None:
    """Raise Refused if `LinesFile` could not add lines to a path; nothing is written."""
    try:
        if exists(path):
            LinesFile(path, head, is_own).close()
        elif not path.parent.is_dir():
            raise Refused(
                sentence("there is no folder {path}", path=path.parent),
                sentence("create it, or choose another file"),
            )
        else:
            check_folder_writable(path.parent)
    except Postponed as error:
        raise Refused(error.reason) from error
    except (OSError, ValueError) as error:
        raise Refused(
            sentence("{path} cannot be written: {reason}", path=path, reason=reason(error)),
            remedy(error, "file"),
        ) from error


class LinesFile:
    """A file that grows by lines. A line that does not fit on the disk leaves nothing of itself. Where the file was
    deleted or renamed, the next line begins another one at its path.
    """

    def __init__(self, path: Path, head: bytes, is_own: Callable[[bytes], bool] | None = None) -> None:
        """Open the file, or create it with the line `head` (b'' for none) at its beginning.

        Args:
            is_own: whether an existing first line (at most 4 KiB) has this format; by default, equals `head`.

        Raises:
            Refused: it exists and begins with something else, or can never be written.
            Postponed: it cannot be written now.
        """
        self._path, self._head = path, head
        self._gap = b""
        self._is_own = is_own or (lambda first: not head or first == head.rstrip(b"\n"))
        self._descriptor: int | None = self._opened()

    def _opened(self) -> int:
        try:
            # Windows says "Permission denied" of a folder, by which its permissions would seem to be wrong.
            if self._path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            descriptor = os.open(self._path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
        except (OSError, ValueError) as error:
            raise self._failed(error) from error
        try:
            # A pipe without a reader, or a device, would block the thread forever.
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused(
                    sentence("{path} is not a file", path=self._path), sentence("choose another path")
                )
            self._check_head(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _is_moved(self, descriptor: int) -> bool:
        """Return whether the open file no longer has this path: it was deleted, or renamed as by logrotate."""
        try:
            return not os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return True

    def _check_head(self, descriptor: int) -> None:
        size = os.fstat(descriptor).st_size
        if size == 0:
            self._gap = b""
            return
        os.lseek(descriptor, size - 1, os.SEEK_SET)
        # The last line of a program that was killed, or of an editor, may lack its end.
        self._gap = b"" if os.read(descriptor, 1) == b"\n" else b"\n"
        os.lseek(descriptor, 0, os.SEEK_SET)
        first = os.read(descriptor, max(_HEAD, len(self._head) + 1)).partition(b"\n")[0]
        # Editors and spreadsheets of Windows end lines with both.
        first = first.removesuffix(b"\r")
        if not self._is_own(first):
            raise Refused(
                sentence("{path} already holds something else", path=self._path),
                sentence("choose another file, or move that one away"),
            )

    def append(self, line: bytes) -> None:
        """Write a line, or raise Postponed (not now, the file is unchanged) or Refused (never)."""
        try:
            if self._descriptor is not None and self._is_moved(self._descriptor):
                self.close()
            if self._descriptor is None:
                self._descriptor = self._opened()
            descriptor = self._descriptor
            size = os.fstat(descriptor).st_size
            data = (self._gap if size else self._head) + line
            try:
                written = 0
                while written < len(data):
                    written += os.write(descriptor, data[written:])
            except OSError:
                os.ftruncate(descriptor, size)
                raise
            self._gap = b""
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError | ValueError) -> Exception:
        why = sentence("{path} cannot be written: {reason}", path=self._path, reason=reason(error))
        advice = remedy(error, "file")
        if isinstance(error, ValueError) or error.errno in _FOR_GOOD:
            return Refused(why, advice)
        return Postponed(why, advice=advice)

    def close(self) -> None:
        """Close it."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)
