"""Write the frames of `process`: a video, one image, or numbered images."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from desktop.base import console
from desktop.base.errors import ExportError, SoundError
from desktop.base.wording import counted
from desktop.cli._audio_track import chosen_tracks
from desktop.cli._segments import Segmenting, recovery_text, segment_text
from desktop.cli._series_settings import SeriesSettings, recorded_images
from desktop.cli._spread import GivenPiece
from desktop.media.audio.slowed import SlowedAudio
from desktop.media.frame import Frame
from desktop.media.sources.base import Source
from desktop.media.sources.video import VideoSource
from desktop.outputs.description import read_description
from desktop.outputs.encoding import CONTAINERS, VIDEO_SUFFIXES, Encoding, deeper
from desktop.outputs.forecast import foresee
from desktop.outputs.frame_interpolation import Interpolator
from desktop.outputs.frames import Picture
from desktop.outputs.recording import Recorder
from desktop.outputs.segment_index import Segment
from desktop.outputs.segments import SegmentedRecorder
from desktop.outputs.still import DEEP_SUFFIXES, IMAGE_SUFFIXES, write_image, writes_alpha
from desktop.outputs.transparency import is_opaque
from desktop.outputs.video_color import HDR_NAMES, VideoColor
from desktop.spread.plan import PIECE_MUXING, PIECE_THREADS

# Of slowed audio, given to the recorder before a frame's time: it writes what it has up to that time.
_AUDIO_AHEAD_S: Final = 1.0
# As in printf and FFmpeg: %d, %04d.
_NUMBER: Final = re.compile(r"%(0[1-9])?d")


class Output:
    """A video; for an image extension, the last frame or, with a number pattern, an image per frame."""

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
        smooth: Interpolator | None = None,
        slowed: int = 1,
        send: Callable[..., None] | None = None,
        piece: GivenPiece | None = None,
        audio_track: str | None = None,
        is_complete: bool = True,
        color: VideoColor | None = None,
        done: int = 0,
        segmenting: Segmenting | None = None,
        series_settings: SeriesSettings | None = None,
    ) -> None:
        """Create the output; nothing is written yet.

        Args:
            path: its extension selects the format.
            source: provides the frames, and the audio of a file.
            snapshot: where the last frame is written as well.
            one: there will be a single frame.
            ends: source time at which the video ends; None for the source's end.
            smooth: interpolates frames before they are encoded.
            slowed: factor of the times of its frames, by which the audio is slowed down.
            send: receives the forecast and the partial file's name; an aborted output never takes its final
                name.
            piece: the output is a part of a longer video, and keeps its timestamps.
            is_complete: the frames cover the source; audio before the first and after the last one is
                included.
            color: of the frames; None for SDR.
            done: images of a series that are there already.
            series_settings: stored beside the images of a series.
            segmenting: write segments; those of a killed run are completed with the first frame.

        Raises:
            ExportError: the segments' index cannot be written.
            UsageError: the audio track (`--audio-track`) does not exist.
        """
        self._send: Callable[..., None] = send or (lambda **_: None)
        self._publishes = send is None
        self._path = path
        self._is_video = is_video_file(path, moves=not source.info.is_still and not one)
        self._is_series = is_series(path)
        self._source = source
        self._encoding, self._subtitled = encoding, subtitled
        self._snapshot = snapshot
        self._ends = ends
        self._smooth = smooth
        self._slowed = slowed
        self._audio: SlowedAudio | None = None
        self._recorder: Recorder | SegmentedRecorder | None = None
        self._segmenting, self._series_settings = segmenting, series_settings
        self._first_pts = 0.0
        self._piece = piece
        self._color = color or VideoColor()
        self._is_complete = is_complete and (piece is None or piece.span is None)
        self._audio_tracks = chosen_tracks(audio_track, source)
        self._last: Any = None
        self._is_flattened = False
        self._count, self._done = 0, done
        self.bytes_per_frame = 0

    @property
    def waiting(self) -> int:
        """The number of frames waiting to be encoded; thread-safe."""
        return 0 if self._recorder is None else self._recorder.waiting

    @property
    def has_pictures(self) -> bool:
        """Whether a frame was added."""
        return self._count > 0

    def add(self, picture: Any, frame: Frame) -> None:
        """Add a frame."""
        self._last = picture
        self.bytes_per_frame = picture.nbytes
        if not self._count:
            self._report_hdr(frame)
        if self._is_series:
            self._add_to_series(picture)
        self._count += 1
        if not self._is_video:
            return
        if self._recorder is None:
            self._first_pts = self._begins(frame)
            self._recorder = self._begin((picture.shape[1], picture.shape[0]))
        self._write(Picture(picture, frame.pts - self._first_pts, frame.duration))

    @property
    def _makes_frames(self) -> bool:
        return self._smooth is not None or self._slowed > 1

    def _add_to_series(self, picture: Any) -> None:
        number = self._done + self._count + 1
        if not self._count:
            self._report_code()
            # Before the first image: images with higher numbers may be left from another run, and must not be counted.
            if self._series_settings is not None:
                self._series_settings.begin(self._done)
        self._write_image(picture, self._path.with_name(_numbered(self._path.name, number)))
        if self._series_settings is not None:
            self._series_settings.note(number)

    def _report_hdr(self, frame: Frame) -> None:
        """Report HDR that becomes SDR, unless the estimate before a video from a file has reported it."""
        # That of slow motion is made without the source, as its audio is not the file's.
        has_forecast = (
            self._is_video and self._slowed == 1 and getattr(self._source, "path", None) is not None
        )
        if not frame.color.is_hdr or self._color.is_hdr or has_forecast:
            return
        suffix = self._path.suffix.lower()
        kinds: tuple[str, ...]
        if self._is_video:
            codec, kinds = deeper(CONTAINERS[suffix], self._encoding)
        else:
            codec, kinds = "", () if suffix in DEEP_SUFFIXES else DEEP_SUFFIXES
        if self._makes_frames:
            way = "leave out slow motion and frame interpolation to keep it"
        elif kinds:
            way = f"write {' or '.join(kinds)} with --hdr keep to keep it"
        else:
            way = f"--hdr keep{f' --codec {codec}' if codec else ''} leaves it as it is"
        console.fail(f"HDR ({HDR_NAMES[frame.color.transfer]}) becomes standard range (BT.709); {way}.")

    def _report_code(self) -> None:
        """Report a time code of the input, which images do not get."""
        path: Path | None = getattr(self._source, "path", None)
        code = read_description(path).code if path is not None and path.is_file() else None
        if code is not None:
            console.fail(f"Images hold no time code, so that of the input ({code.text}) is left out.")

    def _write_image(self, picture: Any, path: Path) -> None:
        write_image(picture, path, color=self._color)
        self._is_flattened = self._is_flattened or not (writes_alpha(path) or is_opaque(picture))

    def _write(self, picture: Picture) -> None:
        for each in (picture,) if self._smooth is None else self._smooth.add(picture):
            self._encode(each)

    def _encode(self, picture: Picture) -> None:
        assert self._recorder is not None
        if self._audio is not None:
            for at, samples in self._audio.until(picture.pts + _AUDIO_AHEAD_S):
                self._recorder.add_sound(samples, at)
        self._recorder.add(picture.pixels, picture.pts, picture.duration)

    def _begins(self, frame: Frame) -> float:
        """Return the source time at which a video with the first frame `frame` begins."""
        return frame.pts if self._piece is None or self._piece.span is None else self._piece.origin

    def _begin(self, size: tuple[int, int]) -> Recorder | SegmentedRecorder:
        """Print the forecast and start the recorder."""
        audio: Path | None = getattr(self._source, "path", None)
        if self._slowed > 1:
            self._audio, audio = self._slowed_audio(audio), None
        rate = self._source.info.rate
        start = getattr(self._source, "start_time", 0.0)
        found = foresee(
            audio,
            size,
            rate,
            self._path,
            self._encoding,
            draws_subtitles=self._subtitled,
            sound_tracks=self._audio_tracks,
            begins=start + self._first_pts if self._is_complete else None,
            color=self._color,
            makes_frames=self._makes_frames,
        )
        self._first_pts -= found.lead
        console.err(f"{found.video}, {self._audio_text(found.sound)}")
        for note in (*found.differs, *_about_stamps(self._source)):
            console.fail(note)
        choice = found.choice
        if self._piece is not None:
            kind = replace(choice.container, options={**choice.container.options, **PIECE_MUXING})
            choice = replace(choice, container=kind, options={**choice.options, "threads": PIECE_THREADS})

        def make(path: Path, begin: float) -> Recorder:
            return Recorder(
                path,
                size,
                rate or 30.0,
                self._encoding,
                choice=choice,
                audio_from=audio,
                # Time 0 of the file, on the clock of the audio's timestamps.
                audio_offset=start + self._first_pts + begin,
                audio_end=None if self._ends is None else start + self._ends,
                audio_tracks=self._audio_tracks,
                wait=True,
                live_sound=self._audio is not None,
                color=self._color,
            )

        if self._segmenting is not None:
            return self._segmented(self._segmenting, make)
        recorder = make(self._path, 0.0)
        self._send(made=found.video, part=str(recorder.part))
        return recorder

    def _segmented(
        self, segmenting: Segmenting, make: Callable[[Path, float], Recorder]
    ) -> SegmentedRecorder:
        recorder = SegmentedRecorder(
            self._path,
            make,
            segmenting.limit,
            retention=segmenting.retention,
            is_live=self._source.info.live,
            on_note=console.fail,
        )
        recorder.on_segment = self._report_segment
        for segment in recorder.recovered:
            console.err(recovery_text(segment))
        return recorder

    @staticmethod
    def _report_segment(segment: Segment) -> None:
        console.err(f"{segment.path}: {segment_text(segment)}")

    def _slowed_audio(self, path: Path | None) -> SlowedAudio | None:
        """Return the audio of slow motion, None if there is none, it is not wanted or, with a message, not readable."""
        if path is None or self._encoding.sound == "none" or not CONTAINERS[self._path.suffix.lower()].sound:
            return None
        start = getattr(self._source, "start_time", 0.0)
        try:
            return SlowedAudio.open(
                path, self._audio_tracks[0], self._slowed, origin=start, begin=self._first_pts
            )
        except SoundError as error:
            console.fail(error)
            self._send(note=str(error))
            return None

    def _audio_text(self, usual: str) -> str:
        return usual if self._audio is None else f"audio at 1/{self._slowed} of its speed and the same pitch"

    def _close_audio(self) -> None:
        if self._audio is not None:
            self._audio.close()
            self._audio = None

    def abandon(self) -> str:
        """Finish files after an error; return a sentence about those that remain, or ''."""
        self._close_audio()
        done, place = self._count if self._is_series else 0, self._path
        first = self._path.with_name(_numbered(self._path.name, 1))
        if self._is_series and self._series_settings is not None and not first.exists():
            # There is no image to resume from.
            self._series_settings.delete()
        if isinstance(self._recorder, SegmentedRecorder):
            self._recorder.abandon()
            done, place = self._recorder.written, self._recorder.pattern
        elif self._recorder is not None:
            kept = self._recorder.abandon(publish=self._publishes)
            done, place = self._recorder.written if kept else 0, kept or place
        if not self._publishes:
            return ""
        return f"What was done until then, {counted(done, 'frame')}, is in {place}." if done else ""

    def close(self, *, whole: bool) -> list[Path]:
        """Finish; return the files written. `whole`: the input was processed to its end."""
        if self._recorder is not None:
            for each in () if self._smooth is None else self._smooth.end():
                self._encode(each)
            self._close_audio()
            self._recorder.close(whole=whole)
            for note in () if isinstance(self._recorder, SegmentedRecorder) else self._recorder.notes:
                console.fail(note)
                self._send(note=note)
        if self._last is None:
            raise ExportError("The input gave no frame, so nothing was written.")
        written = [self._path]
        if isinstance(self._recorder, SegmentedRecorder):
            written = [segment.path for segment in self._recorder.segments]
        if not self._is_video and not self._is_series:
            self._write_image(self._last, self._path)
            if self._count > 1:
                numbered = self._path.with_stem(f"{self._path.stem}-%04d")
                console.fail(
                    f"Only the last of {self._count} frames is in {self._path}; "
                    f"to keep them all, name a video or, to have them numbered, {numbered}."
                )
        if self._is_flattened:
            console.fail(
                f"{self._path.suffix} files hold no transparency, so transparent parts are black; write a "
                ".png to keep it."
            )
        if self._snapshot is not None:
            write_image(self._last, self._snapshot, color=self._color)
            written.append(self._snapshot)
        return written


def _about_stamps(source: Source) -> list[str]:
    clock = source.file_clock if isinstance(source, VideoSource) else None
    if clock is None or clock.is_straight:
        return []
    return [
        f"The time stamps of {source.info.title} jump {counted(clock.breaks, 'time')}: the parts are "
        "joined without a gap, "
        "audio and video alike."
    ]


def is_video_file(path: Path, *, moves: bool) -> bool:
    """Return True for a video's file name; a WebP is a video if it has more than one frame."""
    suffix = path.suffix.lower()
    return suffix in VIDEO_SUFFIXES or (moves and suffix in CONTAINERS and not is_series(path))


def is_series(path: Path) -> bool:
    """Return True for a file name with a number pattern."""
    return path.suffix.lower() in IMAGE_SUFFIXES and bool(_NUMBER.search(path.name))


def is_in_series(name: str, series: Path) -> bool:
    """True for a name that a frame of a series may get."""
    around = _NUMBER.sub("\0", series.name).split("\0")
    return re.fullmatch("[0-9]+".join(map(re.escape, around)), name, re.IGNORECASE) is not None


def images_done(series: Path) -> int:
    """Return the number of images of a series that are there, from the first one on without a gap; where the run
    that was interrupted recorded how many it made, no others.
    """
    numbers = itertools.count(1)
    there = next(n for n in numbers if not series.with_name(_numbered(series.name, n)).exists()) - 1
    made = recorded_images(series)
    return there if made is None else min(there, made)


def _numbered(name: str, number: int) -> str:
    return _NUMBER.sub(lambda match: f"{number:{match[1] or ''}d}", name)
