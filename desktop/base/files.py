"""Atomic file replacement, and opening of regular files only."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Final, Literal, cast

from desktop.base.wording import Text, sentence

PART_SUFFIX = ".part"
"""Suffix of a file that is still being written; one left by a killed program may be deleted."""

# Most file systems limit names to 255 bytes; a suffix added to a name must fit too.
_LONGEST_STEM: Final = 180
_CHUNK: Final = 1 << 20
# In code units of UTF-16.
_WINDOWS_LONGEST_NAME: Final = 255
# Seconds of retries on Windows, where virus scanners and the search indexer open each new file for a moment.
_RETRY_S: Final = 1.0
# The thread of a window must not be held up.
_MAIN_RETRY_S: Final = 0.1


def resolved(path: Path) -> Path:
    """Return a path with its links followed; circular links stay; raise ValueError for a NUL in it.

    Not `Path.resolve`, which raises RuntimeError for circular links before Python 3.13.
    """
    return Path(os.path.realpath(path))


def home_expanded(name: str | Path, system: str = sys.platform) -> Path:
    """Return a path with '~' expanded. That of a user who is not known here is a name like any other, on Windows
    that of each other user: `Path.expanduser` makes C:\\Users\\clip.mp4 of '~clip.mp4' there.
    """
    path = Path(name)
    if not _begins_at_home(path, system):
        return path
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def has_unknown_home(name: str | Path, system: str = sys.platform) -> bool:
    """True if a path begins in a home folder that `home_expanded` does not find."""
    path = Path(name)
    return _begins_at_home(path, system) and home_expanded(path, system) == path


def _begins_at_home(path: Path, system: str) -> bool:
    first = next(iter(path.parts), "")
    return first == "~" if system == "win32" else first.startswith("~")


def exists(path: Path) -> bool:
    """True if there is something of that name."""
    try:
        return path.exists()
    except (
        OSError,
        ValueError,
    ):  # longer than the system allows, or with a NUL in it; opening it reports that
        return False


def is_special(path: Path) -> bool:
    """Return True for a pipe, a device or a socket: data is written through it, and nothing is replaced."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def check_name(path: Path, system: str = sys.platform) -> None:
    """Raise OSError for a name that is longer than the system allows, before a file with another name is written
    that could not be renamed to it. `Path.is_dir` and others return False for one, from Python 3.14 on.
    """
    if system == "win32" and len(path.name.encode("utf-16-le", "surrogatepass")) > 2 * _WINDOWS_LONGEST_NAME:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    with contextlib.suppress(FileNotFoundError):
        path.lstat()


def _final(path: Path) -> Path:
    """Follow a path's links, except to a pipe (/dev/stdout has no name); raise OSError for a folder, and for a
    name that no file can have.
    """
    final = path if is_special(path) else resolved(path)
    check_name(final)
    if final.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    return final


def _shortened(stem: str) -> str:
    return os.fsdecode(os.fsencode(stem)[:_LONGEST_STEM])


def move_over(source: Path, target: Path, system: str = sys.platform) -> None:
    """Rename a file or folder to `target`, replacing a file of that name. On Windows, where that fails while
    another program has either open, retry for up to a second, on the main thread for a tenth of it, before raising
    PermissionError.
    """
    is_main = threading.current_thread() is threading.main_thread()
    until = time.monotonic() + (_MAIN_RETRY_S if is_main else _RETRY_S)
    while True:
        try:
            source.replace(target)
            return
        except PermissionError:
            is_refused = target.is_dir() or (target.exists() and not os.access(target, os.W_OK))
            if system != "win32" or is_refused or time.monotonic() >= until:
                raise
            time.sleep(0.01)


class PartFile:
    """A file that grows next to its target as `<stem>.part<suffix>`, numbered so as never to overwrite one of
    a killed program, and is renamed at the end. Links are followed; pipes and devices are written directly.
    """

    def __init__(self, target: Path) -> None:
        """Create the file, empty; raise OSError if the folder is not writable or the target is a folder."""
        self.target = target
        self._special = is_special(target)
        self._final = _final(target)
        self.path = self._final if self._special else self._created()

    def _created(self) -> Path:
        stem, suffix = _shortened(self._final.stem), self._final.suffix
        for number in itertools.count(1):
            path = self._final.with_name(f"{stem}.part{'' if number == 1 else f'-{number}'}{suffix}")
            with contextlib.suppress(FileExistsError):
                path.open("xb").close()
                return path
        raise AssertionError

    def publish(self) -> None:
        """Rename the file to its target, with the target's permissions; on OSError the file stays."""
        if self._special:
            return
        with contextlib.suppress(OSError):
            shutil.copymode(self._final, self.path)
        move_over(self.path, self._final)

    def publish_new(self) -> Path:
        """Rename the file to its target if that does not exist, else to a free name; return the path."""
        with contextlib.suppress(OSError):
            if not self._final.exists():
                self.publish()
                return self.target
        return self.path

    def discard(self) -> None:
        """Delete the file; the target stays as it is."""
        if not self._special:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)


def is_part_of(part: str, target: Path) -> bool:
    """Return True if a file name, possibly untrusted, is that of a `PartFile` of a target."""
    path = Path(part)
    try:
        final = resolved(target)
        grows = f"{re.escape(_shortened(final.stem))}\\.part(-[0-9]+)?{re.escape(final.suffix)}"
        return re.fullmatch(grows, path.name) is not None and resolved(path.parent) == final.parent
    except (OSError, ValueError):
        return False


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Write a file next to `path` and rename it at the end, or remove it on an error; readers get the old or
    the new file. A link is followed; a pipe or a device is written directly.
    """
    final = _final(path)
    if is_special(final):
        with final.open("wb", buffering=0) as stream:
            yield cast("BinaryIO", stream)
        return
    written = final.with_name(f"{_shortened(final.name)}.{os.getpid()}-{threading.get_ident()}{PART_SUFFIX}")
    try:
        with written.open("wb") as stream:
            yield stream
        with contextlib.suppress(OSError):
            shutil.copymode(final, written)
        move_over(written, final)
    except BaseException:
        with contextlib.suppress(OSError):
            written.unlink(missing_ok=True)
        raise


def replace_file(path: Path, chunks: Iterable[bytes | memoryview[int]]) -> None:
    """Write a complete file by `replaced`; raise OSError if that fails, leaving nothing of it."""
    with replaced(path) as stream:
        stream.writelines(chunks)


def check_folder_writable(folder: Path) -> None:
    """Raise OSError if no file can be made in a folder or, if that is missing, in the nearest one above it."""
    place = folder
    while not exists(place) and place != place.parent:
        if place.is_symlink():  # to nothing, or to itself: no folder can be made there
            place.stat()
        place = place.parent
    with tempfile.TemporaryFile(dir=place):
        pass


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading, unless it is a folder, a pipe or a device, which could be read forever."""

    # Windows refuses to open a folder at all, with "Permission denied".
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a file")
    return os.fdopen(descriptor, "rb")


def text_lines(text: str) -> list[str]:
    """Split at CR and LF only: `str.splitlines` also does at U+2028 and others, which names may contain."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def read_regular(path: Path, limit: int) -> bytes:
    """Return a regular file's bytes; raise ValueError for a NUL in the path, OSError as `open_regular` does
    or over `limit` bytes, with the reason in `strerror`.
    """
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        # By the file's size, not the limit: `read` allocates what is requested. One byte more detects growth.
        data = stream.read(size + 1) if size <= limit else b""
        while size <= limit and size < len(data) <= limit and (more := stream.read(_CHUNK)):
            data += more  # as the files of /proc, which have no size
    if size > limit or len(data) > limit:
        raise OSError(errno.EFBIG, sentence("it is larger than {size}", size=_size(limit)))
    return data


def _size(count: int) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count} {unit}"
        count = round(count / 1024)  # 2**31 - 1 is 2 GiB
    return f"{count} GiB"


def same_file(first: Path, second: Path) -> bool:
    """Return True if two paths lead to one file, existing or not, also through links of both kinds."""
    try:
        if first.exists() and second.exists():
            return first.samefile(second)
        return resolved(first) == resolved(second)
    except (OSError, ValueError):  # a name that no file can have
        return False


def reason(error: OSError | ValueError) -> str:
    """Return why a file access failed, for the end of a sentence; a ValueError is a path with a NUL."""
    if isinstance(error, OSError):
        said = error.strerror or str(error)
        return said if isinstance(said, Text) else known_reason(said.rstrip("."))
    return sentence("its name is not a file name")


def remedy(error: OSError | ValueError, kind: Literal["file", "folder"]) -> Text:
    """Return what to do about a file or folder that cannot be written, as a clause."""
    other = sentence("choose another file") if kind == "file" else sentence("choose another folder")
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EACCES, errno.EPERM):
        return sentence("change its permissions, or {other}", other=other)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return sentence("make room, or {other}", other=other)
    if number == errno.ENOENT and kind == "file":
        return sentence("create its folder, or {other}", other=other)
    return other


def unreadable_folder(folder: Path, error: OSError) -> Text:
    """Return the sentence for a folder whose entries cannot be listed."""
    return sentence(
        "The folder {name} can't be read ({reason}): check its permissions.",
        name=folder.name,
        reason=reason(error),
    )


def known_reason(said: str) -> str:
    """Return what the system said as a text that can be translated, where it is one of the usual ones."""
    return _REASONS.get(said, said)


# What the system says most often, in its words: a plain text, which the window could not translate.
_REASONS: Final[Mapping[str, str]] = {
    said: said
    for said in (
        sentence("No such file or directory"),
        sentence("Permission denied"),
        sentence("Operation not permitted"),
        sentence("No space left on device"),
        sentence("Read-only file system"),
        sentence("File name too long"),
        sentence("Not a directory"),
        sentence("Is a directory"),
        sentence("Input/output error"),
        sentence("it is a folder"),
        sentence("it is not a file"),
    )
}
