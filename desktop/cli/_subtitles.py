"""`--subtitles` of `lightloom process`: the subtitles to draw into the frames."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.media.sources.base import Source
from desktop.media.sources.video import VideoSource
from desktop.media.subtitles.reader import SubtitleReader, guessed_note
from desktop.media.subtitles.tracks import SUFFIXES, SubtitleTrack, usual_track

_USUAL: Final = "auto"


def add_subtitle_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--subtitles",
        metavar="TRACK|FILE",
        nargs="?",
        const=_USUAL,
        help="draw subtitles into the frames: a track's number in the input, from 1 on, or a .srt, .vtt "
        "or .ass file; alone, or 'auto', the input's default ones, or those of a file beside it. "
        "Before INPUT it is written with its value, --subtitles=auto",
    )


@contextlib.contextmanager
def chosen_subtitles(options: argparse.Namespace, source: Source) -> Iterator[SubtitleReader | None]:
    """Yield a reader of the requested subtitles of an open source; None if none were requested.

    Raises UsageError if there are none, SourceError if they cannot be read.
    """
    if options.subtitles is None:
        yield None
        return
    reader, name = _open(options.subtitles, source)
    try:
        yield reader
        if reader.is_guessed:
            console.fail(guessed_note(name))
    finally:
        reader.close()


def _open(wanted: str, source: Source) -> tuple[SubtitleReader, str]:
    path = Path(wanted)
    if path.suffix.lower() in SUFFIXES:
        return SubtitleReader.of_file(path), path.name
    found = source.capabilities.subtitles
    tracks = found.tracks if found is not None else ()
    place = _place(wanted, tracks)
    if place is None or not isinstance(source, VideoSource):
        there = "; ".join(track.name for track in tracks) or "none"
        raise UsageError(
            f"There are no subtitles '{wanted}' in {source.info.title}, which has: {there}. Give a track's "
            "number or a "
            f"file that ends in one of {', '.join(SUFFIXES)}."
        )
    track = tracks[place]
    if track.file is not None:
        return SubtitleReader.of_file(track.file), track.file.name
    return source.subtitles.reader_of(track), source.path.name


def _place(wanted: str, tracks: tuple[SubtitleTrack, ...]) -> int | None:
    if wanted == _USUAL:
        return usual_track(tracks)
    numbers = {str(track.index + 1): place for place, track in enumerate(tracks) if track.file is None}
    place = numbers.get(wanted)
    return place if place is not None and tracks[place].is_readable else None
