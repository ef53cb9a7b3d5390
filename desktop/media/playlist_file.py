"""Playlists as files: M3U in UTF-8 (.m3u8; .m3u is read too), compatible with VLC, mpv and foobar2000.

A list is untrusted: it is limited in size, and nothing that it names is opened here. Left out and counted are
other lists (endless references), devices, cameras, and folders of other machines (`\\\\host\\share`: Windows
would log in there); the latter are kept in the list that the program stores itself. HLS segment lists, which
share the extension, are refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from desktop.base.addresses import has_secrets, is_address
from desktop.base.errors import OutputError, SourceDamagedError, SourceNotFoundError, SourceUnsupportedError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.wording import Text, plural, sentence
from desktop.media.playlist import MOST_ENTRIES, Entry

SUFFIXES: Final = (".m3u8", ".m3u")
# The most entries with paths and titles of usual lengths; what is stored has to be read again.
MOST_BYTES: Final = 16 << 20
_LONGEST: Final = 4096
_LONGEST_TITLE: Final = 200
# A day and a half of one entry: what is longer is no length.
_MOST_SECONDS: Final = 1e5
_HLS: Final = "#EXT-X-"
_INFO: Final = "#EXTINF:"
_DRIVE: Final = re.compile(r"/[A-Za-z]:")


@dataclass(frozen=True)
class ListRead:
    """Content of a list: its entries (without ids), and the number of skipped lines."""

    entries: tuple[Entry, ...]
    left_out: int = 0

    def note(self, name: str) -> Text | str:
        """Return a sentence on the lines left out of the list of this name, '' without any."""
        if not self.left_out:
            return ""
        return plural(
            self.left_out,
            "%n line of {name} is left out: it names another list or something that lists may not open.",
            "%n lines of {name} are left out: they name other lists or something that lists may not open.",
            name=name,
        )


def read_playlist(path: Path, *, is_own: bool = False) -> ListRead:
    """Read a list. Relative paths are relative to the list's folder; no entry is opened.

    Files on other machines are kept only if the list `is_own`, the one that the program itself stores.

    Raises:
        SourceNotFoundError: the file does not exist, may not be read, or is larger than `MOST_BYTES`.
        SourceDamagedError: it is not UTF-8 text.
        SourceUnsupportedError: it lists a stream's segments, nothing, or more than `MOST_ENTRIES`.
    """
    lines = _lines(path)
    if any(line.startswith(_HLS) for line in lines):
        raise SourceUnsupportedError(
            sentence(
                "{name} lists the parts of a stream (HLS), which Lightloom does not play; open a video file.",
                name=path.name,
            )
        )
    entries: list[Entry] = []
    left_out, title, seconds = 0, "", 0.0
    for line in lines:
        if line.startswith(_INFO):
            title, seconds = _info(line)
        if not line.strip() or line.startswith("#"):
            continue
        spec = _spec(line, path.parent, is_own=is_own)
        if spec is None:
            left_out += 1
        else:
            entries.append(Entry(0, spec, title, seconds))
        title, seconds = "", 0.0
        if len(entries) > MOST_ENTRIES:
            raise SourceUnsupportedError(
                sentence(
                    "{name} has more than {most:,} entries; split it up.", name=path.name, most=MOST_ENTRIES
                )
            )
    if not entries:
        raise SourceUnsupportedError(
            sentence(
                "{name} names no file or stream that can be opened; choose another list.", name=path.name
            )
        )
    return ListRead(tuple(entries), left_out)


def _lines(path: Path) -> list[str]:
    try:
        data = read_regular(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise SourceNotFoundError(
            sentence(
                "The playlist {name} can't be read: {reason}; check its name and permissions.",
                name=path.name,
                reason=reason(error),
            )
        ) from error
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        raise SourceDamagedError(
            sentence("The playlist {name} is not text in UTF-8: save it as UTF-8.", name=path.name)
        ) from error


def _info(line: str) -> tuple[str, float]:
    """Return title and length of '#EXTINF:123,Title'; -1 stands for an unknown length."""
    length, _, title = line.removeprefix(_INFO).partition(",")
    try:
        seconds = float(length.split(" ")[0])
    except ValueError:
        seconds = 0.0
    return title.strip()[:_LONGEST_TITLE], seconds if 0.0 < seconds < _MOST_SECONDS else 0.0


def _spec(line: str, folder: Path, *, is_own: bool) -> str | None:
    """Return what a line names, as `Entry.spec`; None for what is left out."""
    if len(line) > _LONGEST or "\0" in line:
        return None
    # Not the name of a file, in which a password would be shown.
    if is_address(line.strip()):
        line = line.strip()
    if line.startswith("file://"):
        named = file_of(line)
        if named is None:
            return None
        line = named
    elif is_address(line):
        return line
    if (_is_shared(line) and not is_own) or line.lower().endswith(SUFFIXES):
        return None
    return str((folder / line).absolute())


def _is_shared(path: str) -> bool:
    """Return True for a path such as `\\\\host\\share\\file`; Windows takes either slash, and a mixture of both."""
    return path.replace("\\", "/").startswith("//")


def file_of(address: str, system: str = sys.platform) -> str | None:
    """Return the path in an address such as file:///a%20b.mp4, or file:///C:/b.mp4 on Windows; None for a file
    of another machine, or what is no address.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    return path[1:] if system == "win32" and _DRIVE.match(path) else path


def entry_lines(folder: Path, entries: Iterable[Entry], *, secrets: bool) -> list[str | None]:
    """Return the lines of each entry in a list of a folder; None for one that `write_playlist` leaves out."""
    lines = [(entry, _line(entry.spec, folder, secrets=secrets)) for entry in entries]
    return [
        None if line is None else f"{_INFO}{round(entry.seconds) or -1},{entry.title}\n{line}"
        for entry, line in lines
    ]


def playlist_bytes(lines: Iterable[str | None]) -> bytes:
    """Return the contents of a list; `lines` as `entry_lines` returns them."""
    kept = (line for line in lines if line is not None)
    return "\n".join(("#EXTM3U", *kept, "")).encode("utf-8", "backslashreplace")


def write_playlist(path: Path, entries: Iterable[Entry], *, secrets: bool = True) -> int:
    """Write a list as UTF-8, with paths below its folder relative; return the number of entries left out.

    'sample', cameras, names that a line of UTF-8 cannot hold, and, unless `secrets`, addresses with a user's
    name, a password or a query are left out. Raises OutputError if it cannot be written.
    """
    lines = entry_lines(path.absolute().parent, entries, secrets=secrets)
    try:
        replace_file(path, [playlist_bytes(lines)])
    except OSError as error:
        raise OutputError(
            sentence(
                "The playlist can't be written to {path}: {reason}; choose another folder.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return lines.count(None)


def count_shared(path: Path, entries: Iterable[Entry]) -> int:
    """Return how many entries `read_playlist` leaves out of a list at `path`, as they are in folders of other machines."""
    folder = path.absolute().parent
    return sum(
        _is_shared(entry.spec) and not Path(entry.spec).is_relative_to(folder)
        for entry in entries
        if not is_address(entry.spec)
    )


def _line(spec: str, folder: Path, *, secrets: bool) -> str | None:
    try:
        spec.encode("utf-8")
    except UnicodeEncodeError:
        return None  # a file's name in another encoding
    if any(mark in spec for mark in "\r\n\0") or len(spec) > _LONGEST:
        return None
    if is_address(spec):
        return spec if secrets or not has_secrets(spec) else None
    path = Path(spec)
    if not path.is_absolute():
        return None
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
    return f"./{name}" if name.startswith("#") or is_address(name) else name
