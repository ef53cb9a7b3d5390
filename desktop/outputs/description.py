"""Metadata of a video file: title and other tags, chapters, time code. Copied to files made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av

from desktop.media.containers import open_container
from desktop.media.time_code import TimeCode

# FFmpeg's names, which its muxers translate. Tags that muxers write (brands, encoder, duration) are omitted.
_TEXTS: Final = (
    *("title", "artist", "album", "album_artist", "composer", "comment", "copyright", "date", "description"),
    *(
        "synopsis",
        "genre",
        "show",
        "episode_id",
        "season_number",
        "episode_sort",
        "network",
        "track",
        "location",
    ),
)
_LONGEST: Final = 4096
_MOST_CHAPTERS: Final = 1000
_MILLISECONDS: Final = Fraction(1, 1000)


@dataclass(frozen=True)
class Chapter:
    """A chapter: its title, '' for none, and its start and end in seconds of the file's own clock."""

    title: str
    start: float
    end: float


@dataclass(frozen=True)
class MediaDescription:
    """Metadata of a video file.

    Attributes:
        texts: by FFmpeg's lower-case names.
        chapters: in order.
        code: the time code at `code_at`, in seconds of the file's own clock; `rate` frames a second.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()
    code: TimeCode | None = None
    code_at: float = 0.0
    rate: float = 0.0


def description_of(container: Any) -> MediaDescription:
    """Return the metadata of an open `av.container.InputContainer`."""
    found = {key.lower(): text[:_LONGEST] for key, text in container.metadata.items() if text}
    texts = {key: found[key] for key in _TEXTS if key in found}
    chapters = tuple(
        Chapter(
            str(each["metadata"].get("title", ""))[:_LONGEST],
            float(each["start"] * each["time_base"]),
            float(each["end"] * each["time_base"]),
        )
        for each in container.chapters()[:_MOST_CHAPTERS]
        if each["time_base"] and each["start"] < each["end"]
    )
    code, code_at, rate = _time_code(container)
    return MediaDescription(texts, chapters, code, code_at, rate)


def _time_code(container: Any) -> tuple[TimeCode | None, float, float]:
    """Return the time code of the first frame, its time, and the frame rate: of a track for it, or of a tag."""
    video: Any = next(iter(container.streams.video), None)
    if video is None:
        return None, 0.0, 0.0
    rate = float(video.average_rate or 0)
    for holder in (video, *container.streams.data, container):
        texts = (text for key, text in holder.metadata.items() if key.lower() == "timecode")
        for code in (TimeCode.parse(text, rate) for text in texts):
            if code is not None:
                return code, float((video.start_time or 0) * video.time_base), rate
    return None, 0.0, 0.0


def read_description(path: Path) -> MediaDescription:
    """Return the metadata of a file; empty if it cannot be opened."""
    try:
        with open_container(str(path), options={"protocol_whitelist": "file"}) as container:
            return description_of(container)
    except (OSError, ValueError, LookupError, ArithmeticError, av.FFmpegError):
        return MediaDescription()


def describe(
    container: Any,
    description: MediaDescription,
    begin: float,
    end: float | None = None,
    *,
    rate: float = 0.0,
) -> None:
    """Write metadata into an `av.container.OutputContainer` whose header is not written yet. Chapters are
    clipped to `begin` and `end` (None for the end), in seconds of the source's clock, and the time code is that of
    `begin`, in a video with `rate` frames a second (0.0 for the source's).
    """
    container.metadata.update(description.texts)
    if description.code is not None:
        code = description.code.later(begin - description.code_at, description.rate)
        container.metadata["timecode"] = code.at(rate or description.rate).text
    kept = []
    for each in description.chapters:
        start = max(0.0, each.start - begin)
        stop = (each.end if end is None else min(each.end, end)) - begin
        if start < stop:
            kept.append((each.title, start, stop))
    container.set_chapters(
        [
            {
                "id": number,
                "start": round(start / _MILLISECONDS),
                "end": round(stop / _MILLISECONDS),
                "time_base": _MILLISECONDS,
                "metadata": {"title": title} if title else {},
            }
            for number, (title, start, stop) in enumerate(kept, 1)
        ]
    )
