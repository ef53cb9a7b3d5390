"""The temporary file of a video, such as `clip.part.mp4`, renamed to its target at the end."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av

from desktop.base.errors import not_written
from desktop.base.files import PartFile, reason
from desktop.media.containers import av_reason, open_container

# Size and kind of a box (ISO/IEC 14496-12, section 4.2).
_BOX: Final = struct.Struct(">I4s")


class VideoFile(io.FileIO):
    """FFmpeg's output object: MP4's muxer ignores errors of its last flush, such as a full disk."""

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write all of `data`; after a failure, nothing any more."""
        if self.failure is not None:
            raise self.failure
        left = memoryview(data)
        try:
            while left:
                left = left[super().write(left) :]
        except OSError as error:
            self.failure = error
            raise
        return len(data)

    def close(self) -> None:
        """Close it; some file systems say only now that they are full."""
        try:
            super().close()
        except OSError as error:
            self.failure = self.failure or error


def open_video(path: Path, format_name: str, options: Mapping[str, str]) -> tuple[PartFile, VideoFile, Any]:
    """Begin a video in FFmpeg's format; return the part file, FFmpeg's output object and the `av` container.
    Raises ExportError if it cannot be written; no file is left.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = PartFile(path)
    except (OSError, ValueError) as error:
        raise not_written(path, reason(error)) from error
    file = None
    try:
        file = VideoFile(part.path, "wb")
        return part, file, open_container(file, "w", format=format_name, options=dict(options))
    except (OSError, ValueError, av.FFmpegError) as error:
        if file is not None:
            file.close()
        part.discard()
        raise not_written(path, av_reason(error)) from error


@dataclass(frozen=True)
class Playable:
    """The playable part of an unfinished video: its frames, and its length from time 0 in seconds."""

    frames: int = 0
    seconds: float = 0.0


def playable_part(path: Path) -> Playable:
    """Return what can be played of an unfinished video (fragments are written whole), no frames if it is none."""
    try:
        _cut_to_fragments(path)
        with open_container(str(path)) as container:
            if next(container.decode(video=0), None) is None:
                return Playable()
        with open_container(str(path)) as container:
            stream: Any = container.streams.video[0]
            packets = [
                (p.pts, p.duration) for p in container.demux(stream) if p.size > 0 and not p.is_corrupt
            ]
            times = sorted((pts, duration or 0) for pts, duration in packets if pts is not None)
            if not times:
                return Playable(len(packets))
            pts, duration = times[-1]
            # Not all containers state the duration of a frame.
            shown = duration * stream.time_base or (1 / stream.average_rate if stream.average_rate else 0)
            return Playable(len(packets), max(0.0, float(pts * stream.time_base + shown)))
    except (OSError, ValueError, LookupError, ArithmeticError, av.FFmpegError):
        return Playable()


def pictures_in(path: Path) -> int:
    """Return the playable frames of an unfinished video, 0 if it is none."""
    return playable_part(path).frames


def _cut_to_fragments(path: Path) -> None:
    """Remove an incomplete last fragment of MP4 or QuickTime, damage to players. Raises OSError."""
    with path.open("r+b") as file:
        length = file.seek(0, io.SEEK_END)
        at = whole = 0
        while at + _BOX.size <= length:
            file.seek(at)
            size, kind = _BOX.unpack(file.read(_BOX.size))
            if (at == 0) != (kind == b"ftyp") or size < _BOX.size:
                break
            at += size
            # A fragment is a 'moof' and the 'mdat' behind it.
            if at <= length and kind != b"moof":
                whole = at
        if whole:
            file.truncate(whole)
