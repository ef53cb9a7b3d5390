"""Where `process` puts its pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from desktop import console
from desktop.cli._audio_track import chosen_track
from desktop.cli._spread import GivenPiece
from desktop.compute.media.frame import Frame
from desktop.compute.media.sources.base import Source
from desktop.compute.media.sources.video import VideoSource
from desktop.compute.outputs.encoding import CONTAINERS, VIDEO_SUFFIXES, Encoding
from desktop.compute.outputs.forecast import foresee
from desktop.compute.outputs.frame_interpolation import FrameInterpolator
from desktop.compute.outputs.frames import Picture
from desktop.compute.outputs.recording import Recorder
from desktop.compute.outputs.still import IMAGE_SUFFIXES, keeps_alpha, write_image
from desktop.compute.outputs.transparency import is_opaque
from desktop.compute.spread.plan import PIECE_MUXING, PIECE_THREADS
from desktop.errors import ExportError
from desktop.wording import counted

# As printf and FFmpeg write it: %d, %04d.
_NUMBER: Final = re.compile(r"%(0[1-9])?d")


class Output:
    """A video, or (for a picture's suffix) one image, the last, or one each if the name numbers them."""

    def __init__(
        self,
        path: Path,
        source: Source,
        encoding: Encoding,
        snapshot: Path | None,
        *,
        one: bool = False,
        ends: float | None = None,
        subtitled: bool = False,
        smooth: FrameInterpolator | None = None,
        tell: Callable[..., None] | None = None,
        piece: GivenPiece | None = None,
        audio_track: str | None = None,
        is_whole: bool = True,
    ) -> None:
        """Make it; nothing is written yet.

        Args:
            path: its suffix says what it is.
            source: where the pictures come from, and the sound of a file.
            encoding: how a video is made.
            snapshot: where the last picture is written too.
            one: there will be one picture.
            ends: the time of the source at which the film ends; None for its end.
            subtitled: subtitles are drawn into the pictures.
            smooth: makes pictures between two, before they are encoded.
            tell: gets what whoever steers the run should know: what will be made, and where it grows. What was begun then never takes
                the file's name.
            piece: it is a part of a longer film, and stamped as such.
            audio_track: which sound track, as `--audio-track` has it; None for the usual one.
            is_whole: the pictures are all of the source's; sound before the first one and behind the last one is kept.

        Raises:
            UsageError: there is no such sound track.
        """
        self._tell: Callable[..., None] = tell or (lambda **_: None)
        self._publishes = tell is None
        self._path = path
        moves = source.info.live or source.info.duration > 0
        self._is_video = holds_film(path, moves=moves and not one)
        self._is_series = is_series(path)
        self._source = source
        self._encoding, self._subtitled = encoding, subtitled
        self._snapshot = snapshot
        self._ends = ends
        self._smooth = smooth
        self._recorder: Recorder | None = None
        self._first_pts = 0.0
        self._piece = piece
        self._is_whole = is_whole and (piece is None or piece.span is None)
        self._audio_track = chosen_track(audio_track, source)
        self._last: Any = None
        self._count = 0
        self.bytes_per_frame = 0

    @property
    def waiting(self) -> int:
        """How many pictures wait to be encoded; for any thread."""
        return 0 if self._recorder is None else self._recorder.waiting

    @property
    def has_pictures(self) -> bool:
        """Whether it was given one."""
        return self._count > 0

    def add(self, picture: Any, frame: Frame) -> None:
        """Take one picture."""
        self._last = picture
        self.bytes_per_frame = picture.nbytes
        if self._is_series:
            write_image(picture, self._path.with_name(_numbered(self._path.name, self._count + 1)))
        self._count += 1
        if not self._is_video:
            return
        if self._recorder is None:
            self._first_pts = self._begins(frame)
            self._recorder = self._begin((picture.shape[1], picture.shape[0]))
        self._write(Picture(picture, frame.pts - self._first_pts, frame.duration))

    def _write(self, picture: Picture) -> None:
        for each in (picture,) if self._smooth is None else self._smooth.add(picture):
            self._encode(each)

    def _encode(self, picture: Picture) -> None:
        assert self._recorder is not None
        self._recorder.add(picture.pixels, picture.pts, picture.duration)

    def _begins(self, frame: Frame) -> float:
        """At which time of the source the film begins whose first picture here is `frame`."""
        return frame.pts if self._piece is None or self._piece.span is None else self._piece.origin

    def _begin(self, size: tuple[int, int]) -> Recorder:
        """Say what will be made, and begin it."""
        audio: Path | None = getattr(self._source, "path", None)
        rate = self._source.info.rate
        start = getattr(self._source, "start_time", 0.0)
        found = foresee(
            audio,
            size,
            rate,
            self._path,
            self._encoding,
            draws_subtitles=self._subtitled,
            sound_track=self._audio_track,
            begins=start + self._first_pts if self._is_whole else None,
        )
        self._first_pts -= found.lead
        console.err(f"{found.video}, {found.sound}")
        for note in (*found.differs, *_about_stamps(self._source)):
            console.fail(note)
        choice = found.choice
        if self._piece is not None:
            kind = replace(choice.container, options={**choice.container.options, **PIECE_MUXING})
            choice = replace(choice, container=kind, options={**choice.options, "threads": PIECE_THREADS})
        recorder = Recorder(
            self._path,
            size,
            rate or 30.0,
            self._encoding,
            choice=choice,
            audio_from=audio,
            # Time 0 of the output, by the clock that the sound is stamped by.
            audio_offset=start + self._first_pts,
            audio_end=None if self._ends is None else start + self._ends,
            audio_track=self._audio_track,
            wait=True,
        )
        self._tell(made=found.video, part=str(recorder.part))
        return recorder

    def abandon(self) -> str:
        """Finish what can be finished after something went wrong; return a sentence about what there is, '' for nothing.

        Of a run that is steered nothing is said: whoever steers it keeps or deletes what there is.
        """
        done, place = self._count if self._is_series else 0, self._path
        if self._recorder is not None:
            kept = self._recorder.abandon(publish=self._publishes)
            done, place = self._recorder.written if kept else 0, kept or place
        if not self._publishes:
            return ""
        return f"What was done until then, {counted(done, 'frame')}, is in {place}." if done else ""

    def close(self, *, whole: bool) -> list[Path]:
        """Finish; return the files written. `whole`: that was all of the input."""
        if self._recorder is not None:
            for each in () if self._smooth is None else self._smooth.end():
                self._encode(each)
            self._recorder.close(whole=whole)
            for note in self._recorder.notes:
                console.fail(note)
                self._tell(note=note)
        if self._last is None:
            raise ExportError("The input gave no picture, so nothing was written.")
        written = [self._path]
        if not self._is_video and not self._is_series:
            write_image(self._last, self._path)
            if not (keeps_alpha(self._path) or is_opaque(self._last)):
                console.fail(
                    f"{self._path.suffix} files hold no transparency, so transparent parts are black; write a .png to keep it."
                )
            if self._count > 1:
                numbered = self._path.with_stem(f"{self._path.stem}-%04d")
                console.fail(
                    f"Only the last of {self._count} pictures is in {self._path}; "
                    f"to keep them all, name a video or, to have them numbered, {numbered}."
                )
        if self._snapshot is not None:
            write_image(self._last, self._snapshot)
            written.append(self._snapshot)
        return written


def _about_stamps(source: Source) -> list[str]:
    clock = source.file_clock if isinstance(source, VideoSource) else None
    if clock is None or clock.is_straight:
        return []
    return [
        f"The time stamps of {source.info.title} jump {counted(clock.breaks, 'time')}: the parts are joined without a gap, "
        "sound and picture alike."
    ]


def holds_film(path: Path, *, moves: bool) -> bool:
    """True for the name of a video; a WebP is one where there is more than one picture."""
    suffix = path.suffix.lower()
    return suffix in VIDEO_SUFFIXES or (moves and suffix in CONTAINERS and not is_series(path))


def is_series(path: Path) -> bool:
    """True for the name of pictures that are numbered."""
    return path.suffix.lower() in IMAGE_SUFFIXES and bool(_NUMBER.search(path.name))


def _numbered(name: str, number: int) -> str:
    return _NUMBER.sub(lambda match: f"{number:{match[1] or ''}d}", name)
