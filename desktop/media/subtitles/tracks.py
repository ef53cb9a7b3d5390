"""List subtitle tracks: those of a video file, and subtitle files beside it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import SourceNotFoundError, SourceUnsupportedError
from desktop.base.files import open_regular, reason
from desktop.base.printable import printable
from desktop.base.wording import sentence

# Extension, and FFmpeg's name of the format. Not .idx with .sub: FFmpeg would open the second file by itself.
SUFFIXES: Final = {".srt": "srt", ".vtt": "webvtt", ".ass": "ass", ".ssa": "ass"}
# Bitmap formats that are not supported: FFmpeg decodes them, but PyAV does not expose their colors.
_UNREAD: Final = ("dvb_subtitle", "dvb_teletext", "xsub", "hdmv_text_subtitle", "arib_caption", "ttml")
_TITLES: Final = {
    "hdmv_pgs_subtitle": "Blu-ray",
    "dvd_subtitle": "DVD",
    "subrip": "SubRip",
    "ass": "ASS",
    "webvtt": "WebVTT",
    "mov_text": "MPEG-4",
}
_MOST_BYTES: Final = 16 << 20
_MOST_ENTRIES: Final = 20_000
_MOST_TRACKS: Final = 64


@dataclass(frozen=True)
class SubtitleTrack:
    """A subtitle track.

    Attributes:
        index: its number among the subtitle tracks of its file; 0 for a separate file.
        name: description for a list: number, title, language, codec.
        file: the separate file, None for a track of the video.
        is_forced: meant for all viewers, e.g. for passages in another language; players show it by default.
    """

    index: int
    name: str
    file: Path | None = None
    is_forced: bool = False
    is_default: bool = False
    is_readable: bool = True


def subtitle_tracks_of(container: Any) -> tuple[SubtitleTrack, ...]:
    """Return the subtitle tracks of an open file."""
    streams = itertools.islice(container.streams.subtitles, _MOST_TRACKS)
    return tuple(_track(stream, index) for index, stream in enumerate(streams))


def _track(stream: Any, index: int) -> SubtitleTrack:
    # Imported here: file kinds are determined before the first image, without FFmpeg.
    from av.stream import Disposition

    context = stream.codec_context
    codec = context.codec.canonical_name if context is not None else ""
    forced = bool(stream.disposition & Disposition.forced)
    parts = [stream.metadata.get("title", ""), stream.metadata.get("language", ""), _TITLES.get(codec, codec)]
    said = ", ".join(part[:80] for part in parts if part and part != "und")
    name = f"{index + 1}: {said}" if said else f"{index + 1}"
    return SubtitleTrack(
        index,
        printable(name),
        None,
        forced,
        bool(stream.disposition & Disposition.default),
        context is not None and codec not in _UNREAD,
    )


def file_track(path: Path) -> SubtitleTrack:
    """Return a subtitle file as a track."""
    return SubtitleTrack(0, printable(path.name), path)


def sidecar_tracks(video: Path) -> tuple[SubtitleTrack, ...]:
    """Return the subtitle files beside a video: 'clip.srt', and 'clip.en.srt', for 'clip.mkv'."""
    found = []
    try:
        with os.scandir(video.absolute().parent) as entries:
            for entry in itertools.islice(entries, _MOST_ENTRIES):
                name = Path(entry.name)
                own = name.stem == video.stem or name.stem.startswith(f"{video.stem}.")
                if own and name.suffix.lower() in SUFFIXES:
                    found.append(entry.name)
    except OSError:
        return ()
    ordered = sorted(found, key=lambda name: (len(name), name))[:_MOST_TRACKS]
    return tuple(file_track(video.parent / name) for name in ordered)


def usual_track(tracks: Sequence[SubtitleTrack]) -> int | None:
    """Return the index of the initial track: the file's default, else the first readable one; None for none.
    A forced track comes last: it has only the few passages in another language.
    """
    places = [place for place, track in enumerate(tracks) if track.is_readable]

    def rank(place: int) -> tuple[bool, bool]:
        return (tracks[place].is_forced, not tracks[place].is_default)

    return min(places, key=rank, default=None)


def forced_track(tracks: Sequence[SubtitleTrack]) -> int | None:
    """Return the index of the track that is shown by default; None for none."""
    return next((n for n, track in enumerate(tracks) if track.is_forced and track.is_readable), None)


def read_text_file(path: Path) -> tuple[bytes, bool]:
    """Return a subtitle file as UTF-8, and whether it was decoded as Windows-1252 (a guess). Raises
    SourceNotFoundError or SourceUnsupportedError if it cannot be read, or is too large.
    """
    try:
        with open_regular(path) as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise SourceNotFoundError(sentence("There is no file {path}: check its name.", path=path)) from error
    except OSError as error:
        raise SourceNotFoundError(
            sentence(
                "{name} can't be read ({reason}): check its name and permissions.",
                name=path.name,
                reason=reason(error),
            )
        ) from error
    if len(data) > _MOST_BYTES:
        raise SourceUnsupportedError(
            sentence(
                "{name} has more than {size} MB, which no video's subtitles have; choose another file.",
                name=path.name,
                size=_MOST_BYTES >> 20,
            )
        )
    return as_utf8(data)


def as_utf8(data: bytes) -> tuple[bytes, bool]:
    """Return text as UTF-8, and whether it was decoded as Windows-1252. A byte order mark identifies UTF-16."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode(), False
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except UnicodeDecodeError:
        # Five byte values are undefined in Windows-1252.
        return data.decode("cp1252", "replace").encode(), True
    return data, False
