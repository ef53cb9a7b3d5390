"""Split an input at key frames into pieces that are long enough to justify starting a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, Final

import av

from desktop.base.addresses import public_name
from desktop.base.errors import ExportError, SourceError, SourceNotFoundError, UsageError
from desktop.base.files import home_expanded, unreadable_folder
from desktop.base.wording import Text, sentence
from desktop.media.file_clock import FileClock
from desktop.media.sound import SOUND_LEAD
from desktop.media.sources._video_file import open_file, video_stream
from desktop.media.sources._video_header import VIDEO_SUFFIXES
from desktop.media.sources.base import Source
from desktop.media.sources.folder import FolderSource, in_natural_order, is_image
from desktop.media.sources.opening import open_source
from desktop.media.sources.video import VideoSource
from desktop.outputs.span import TimeSpan

PIECE_S: Final = 60.0
"""Default minimum length of a piece in seconds: starting a process and its network takes 2 to 10."""

# The reader takes a larger gap for a fault of the file, and adjusts the timestamps after it.
_LONGEST_GAP: Final = 60.0


@dataclass(frozen=True)
class Cut:
    """The split of an input.

    Attributes:
        spans: the parts, in order; () if not split, for the `unsplit_reason`, a sentence's end.
        origin: the time of the first requested frame, in seconds of the source.
        begins: the source's own clock at its time 0, in seconds.
        is_file: it is a single file, which can be sent.
    """

    spans: tuple[TimeSpan, ...] = ()
    unsplit_reason: Text | str = ""
    origin: float = 0.0
    begins: float = 0.0
    is_file: bool = True


def cut(
    name: str,
    wanted: TimeSpan,
    length: float,
    why_not: Text | str,
    opened: Callable[[Source], Source] = lambda source: source,
) -> Cut:
    """Inspect an input and decide how to split it into pieces of at least `length` seconds.

    `why_not` is a reason not to split that does not depend on the input; `opened` configures a source.

    Raises:
        SourceError: it cannot be opened.
        UsageError: it is neither a file nor a folder.
        ExportError: the part contains no frame.
    """
    source = opened(open_source(name))
    try:
        if not isinstance(source, VideoSource):
            return _of_other(source, name, wanted, length, why_not)
        frames = wanted.frames(source)
        first = next(frames, None)
        frames.close()
        if first is None:
            raise ExportError(
                sentence("{name} gave no frame in that part, so nothing was written.", name=public_name(name))
            )
        begins = source.start_time
        if first.fields is not None:
            why_not = why_not or sentence("it is interlaced, and each frame needs its neighbors")
        if why_not:
            return Cut((), why_not, first.pts, begins)
        keys, end, why_not = _keys(source.path, Fraction(begins), wanted)
        return Cut(() if why_not else _spans(keys, end, wanted, length), why_not, first.pts, begins)
    finally:
        source.close()


def _of_other(source: Source, name: str, wanted: TimeSpan, length: float, why_not: Text | str) -> Cut:
    path = home_expanded(name)
    if source.info.live or not path.exists():
        raise UsageError(
            sentence(
                "{name} is no file; only files and folders can be worked on elsewhere.",
                name=public_name(name),
            )
        )
    if isinstance(source, FolderSource) and not why_not:
        places = source.places()
        return Cut(_spans(places, places[-1], wanted, length), "", is_file=False)
    return Cut((), why_not or sentence("it is a single image"), is_file=path.is_file())


def _keys(path: Path, begins: Fraction, wanted: TimeSpan) -> tuple[list[float], float, Text | str]:
    """Return a video's key frame times and last frame time, in seconds, and why it cannot be split."""
    clock = FileClock(lambda: open_file(path), patience=inf)
    clock.close()
    if not clock.is_straight:
        return [], 0.0, sentence("its time stamps jump or repeat")
    container: Any = open_file(path)
    try:
        stream = video_stream(container, path)
        starts = [s.start_time * s.time_base for s in container.streams.audio if s.start_time is not None]
        if wanted.is_complete and starts and begins - min(starts) > SOUND_LEAD:
            return [], 0.0, sentence("its audio begins before its video")
        base = Fraction(stream.time_base)
        stamps: list[int] = []
        keys: list[float] = []
        for packet in container.demux(stream):
            if not packet.size:
                continue
            if packet.pts is None:
                return [], 0.0, sentence("some of its frames have no time stamp")
            stamps.append(packet.pts)
            if packet.is_keyframe:
                keys.append(float(packet.pts * base - begins))
    except (av.FFmpegError, LookupError, ValueError, ArithmeticError) as error:
        return [], 0.0, sentence("it is damaged ({reason})", reason=error)
    finally:
        container.close()
    stamps.sort()
    gaps = [later - earlier for earlier, later in pairwise(stamps)]
    if any(gap == 0 or gap * base > _LONGEST_GAP for gap in gaps):
        return [], 0.0, sentence("its time stamps jump or repeat")
    end = float(stamps[-1] * base - begins) if stamps else 0.0
    return sorted(keys), end, ""


def _spans(keys: Sequence[float], last: float, wanted: TimeSpan, length: float) -> tuple[TimeSpan, ...]:
    """Return parts from key frames at least `length` seconds apart; the last has at least half of it."""
    starts = [wanted.start]
    end = float("inf") if wanted.end is None else wanted.end
    for key in keys:
        # Spans have 6 digits: round up, so that the part does not begin with the frame before the key frame.
        place = round(key + 4e-7, 6)
        if place - starts[-1] >= length and place < end:
            starts.append(place)
    if len(starts) > 1 and min(end, last) - starts[-1] < length / 2:
        starts.pop()
    ends = [*starts[1:], wanted.end]
    return tuple(TimeSpan.parse(TimeSpan(a, b).text) for a, b in zip(starts, ends, strict=True))


def clip_names(
    inputs: Sequence[str], each_file: bool, on_skipped: Callable[[str], object] = lambda _: None
) -> list[str]:
    """Return the inputs with playlists, and folders of videos, replaced by their files.

    Folders of images stay as they are, unless `each_file`. `on_skipped` is called with a sentence for a playlist
    of which lines are left out. Raises SourceError if a folder or a playlist cannot be read, or is empty.
    """
    found: list[str] = []
    for name in inputs:
        path = home_expanded(name)
        if path.is_dir():
            found += _in_folder(path, each_file)
        elif path.suffix.lower() in (".m3u", ".m3u8") and path.is_file():
            from desktop.media.playlist_file import read_playlist

            read = read_playlist(path)
            found += [entry.spec for entry in read.entries]
            if note := read.note(path.name):
                on_skipped(note)
        else:
            found.append(name)
    return found


def _in_folder(folder: Path, each_file: bool) -> list[str]:
    from desktop.media.sources.file_kinds import classify_drop

    kinds: dict[Path, str] = {}
    try:
        entries = in_natural_order(folder.iterdir())
    except OSError as error:
        raise SourceNotFoundError(unreadable_folder(folder, error)) from error
    for path in entries:
        if path.is_file() and not path.name.startswith("."):
            try:
                kinds[path] = classify_drop(path)
            except SourceError:
                # Its name decides: it is reported when it is opened.
                kinds[path] = "video" if path.suffix.lower() in VIDEO_SUFFIXES else "unknown"
            if kinds[path] == "unknown" and is_image(path):
                kinds[path] = "image"
    videos = [str(path) for path, kind in kinds.items() if kind == "video"]
    pictures = [str(path) for path, kind in kinds.items() if kind == "image"]
    if not videos and not pictures:
        raise SourceNotFoundError(
            sentence("The folder {name} holds no video and no image: choose another one.", name=folder.name)
        )
    if each_file:
        return [str(path) for path in kinds if str(path) in {*videos, *pictures}]
    return [*videos, *([str(folder)] if pictures else [])]
