"""A recording in segments: one complete video after another, without a frame lost or doubled between them.

Each segment is a `Recorder`'s file, so that it begins with a key frame and gets its name when it is complete. A frame
waits for the next one, which determines how long it is shown: a segment's audio ends where the next one begins.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base.errors import ExportError
from desktop.media.audio.samples import RATE
from desktop.outputs.frames import Picture
from desktop.outputs.recording import Recorder
from desktop.outputs.segment_index import Segment, SegmentIndex
from desktop.outputs.segment_limits import Retention, SegmentLimit

# Longer distances between frames are pauses of the source.
_LONGEST_FRAME_S: Final = 1.0
# Audio of a device's thread arrives later than the frames of its time.
_AUDIO_LATE_S: Final = 1.0
_AUDIO_HELD_S: Final = 3.0
_SIZE_CHECK_S: Final = 1.0
_EPSILON_S: Final = 1e-4


@dataclass
class _Open:
    """A segment that is being written: its recorder, path, first time in the recording, start and end."""

    recorder: Recorder
    path: Path
    begin: float
    start: datetime
    end: float = 0.0
    checked: float = 0.0


class SegmentedRecorder:
    """Writes frames to segments; its methods are those of `Recorder`. For one thread, except `add_sound`.

    Attributes:
        on_segment: called with each complete segment, on any thread.
        on_note: called with sentences of the recorders, and with problems of the retention.
        recovered: the segments that a killed run had begun; the retention may have deleted some of them.
        pattern: what all segments match, for sentences.
    """

    def __init__(
        self,
        target: Path,
        make: Callable[[Path, float], Recorder],
        limit: SegmentLimit,
        *,
        retention: Retention | None = None,
        is_live: bool = True,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        on_note: Callable[[str], None] = lambda note: None,
    ) -> None:
        """Open the index, complete what a killed run left and then delete what is expired, of that too; nothing
        else is written yet.

        Args:
            target: a video; segments are named after it, with the time of their first frame or, if not
                `is_live`, a number.
            make: opens the recorder of a path, for frames from a time of the recording on (seconds).
            on_note: see the attribute; the retention may have problems at once.

        Raises:
            ExportError: the folder cannot be written, or another program records there.
        """
        self._make, self._limit, self._retention = make, limit, retention or Retention()
        self._is_live, self._clock = is_live, clock
        self.on_segment: Callable[[Segment], None] = lambda segment: None
        self.on_note = on_note
        self._index = SegmentIndex(target)
        self.pattern = target.with_name(f"{target.stem}-*{target.suffix}")
        self.recovered = self._index.recovered
        self._held: Picture | None = None
        self._current: _Open | None = None
        self._ending: _Open | None = None
        self._closer: threading.Thread | None = None
        self._error: ExportError | None = None
        self._lock = threading.Lock()
        self._audio: deque[tuple[float, np.ndarray]] = deque()
        self._audio_s = 0.0
        self._count = 0
        self._written = self._dropped = 0
        self._finished: list[Segment] = []
        if self._index.damage:
            self.on_note(self._index.damage)
        self._delete_expired()

    @property
    def written(self) -> int:
        """Number of frames in segments that this recording completed."""
        return self._written

    @property
    def dropped(self) -> int:
        """Number of frames that were not written because encoding was behind."""
        return self._dropped + (self._current.recorder.dropped if self._current is not None else 0)

    @property
    def waiting(self) -> int:
        """Number of frames that wait to be encoded."""
        return self._current.recorder.waiting if self._current is not None else 0

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The segments that this recording completed, in order, without those that it has deleted since."""
        return tuple(self._finished)

    @property
    def part(self) -> Path | None:
        """Path of the unfinished segment, None before the first frame."""
        return self._current.recorder.part if self._current is not None else None

    def add(self, pixels: np.ndarray, pts: float, duration: float = 0.0) -> None:
        """Append a frame as `Recorder.add` does; raises ExportError if the recording has failed."""
        picture = Picture(pixels, pts, duration)
        held, self._held = self._held, picture
        if held is not None:
            self._write(held, pts)
        elif self._error is not None:
            raise self._error

    def add_sound(self, samples: np.ndarray, pts: float) -> None:
        """Append audio, as `Recorder.add_sound` does. Thread-safe."""
        with self._lock:
            self._audio.append((pts, samples.copy()))
            self._audio_s += len(samples) / RATE
            while self._audio_s > _AUDIO_HELD_S:
                self._audio_s -= len(self._audio.popleft()[1]) / RATE
            for segment in (self._ending, self._current):
                if segment is not None:
                    segment.recorder.add_sound(samples, pts - segment.begin)

    def close(self, *, whole: bool = False) -> None:
        """Complete the last segment; raises ExportError if something could not be written, after what is playable
        was completed.
        """
        try:
            held, self._held = self._held, None
            if held is not None:
                try:
                    self._write(held, None)
                except ExportError:
                    self.abandon()
                    raise
            self._finish_ending()
            self._join()
            if self._current is not None:
                last, self._current = self._current, None
                self._complete(last, whole=whole)
            if self._error is not None:
                raise self._error
        finally:
            self._index.close()

    def abandon(self, *, publish: bool = True) -> tuple[Path, ...]:
        """After a failure, complete what is playable; return the paths of all segments of this recording."""
        self._held = None
        self._finish_ending()
        self._join()
        current, self._current = self._current, None
        if current is not None:
            self._rescue(current, publish=publish)
        self._index.close()
        return tuple(segment.path for segment in self._finished)

    # -- segments --------------------------------------------------------------------------------------------

    def _write(self, picture: Picture, following: float | None) -> None:
        if self._error is not None:
            raise self._error
        shown = following - picture.pts if following is not None else picture.duration
        duration = shown if 0.0 < shown <= _LONGEST_FRAME_S else picture.duration
        if self._current is None or self._is_due(self._current, picture.pts):
            # The frame before a pause is written after it.
            self._begin(picture, shown if self._is_live and shown > _LONGEST_FRAME_S else 0.0)
        current = self._current
        assert current is not None
        current.recorder.add(picture.pixels, picture.pts - current.begin, duration)
        current.end = picture.pts + duration
        if self._ending is not None and picture.pts - current.begin >= _AUDIO_LATE_S:
            self._finish_ending()

    def _is_due(self, segment: _Open, pts: float) -> bool:
        length = pts - segment.begin
        if self._limit.seconds and length >= self._limit.seconds - _EPSILON_S:
            return True
        if self._limit.size and length - segment.checked >= _SIZE_CHECK_S:
            segment.checked = length
            try:
                return segment.recorder.part.stat().st_size >= self._limit.size
            except OSError:  # deleted by someone; the recorder reports that when it is complete
                return False
        return False

    def _begin(self, picture: Picture, age: float) -> None:
        """Open the next segment, whose first frame arrived `age` seconds ago; the one before stays open for its last
        audio.
        """
        self._finish_ending()
        start = self._clock() - timedelta(seconds=age)
        self._count += 1
        label = f"{start.astimezone(UTC):%Y%m%dT%H%M%SZ}" if self._is_live else f"{self._count:04d}"
        self._join()
        path = self._index.free_path(label)
        self._index.begin(path, start)
        recorder = self._make(path, picture.pts)
        begun = _Open(recorder, path, picture.pts, start)
        with self._lock:
            self._ending, self._current = self._current, begun
            for at, samples in self._audio:
                if at + len(samples) / RATE > picture.pts:
                    recorder.add_sound(samples, at - picture.pts)

    def _finish_ending(self) -> None:
        """Complete the segment before the current one, on a thread: the last frames of an encoder take time."""
        with self._lock:
            ending, self._ending = self._ending, None
        if ending is not None:
            self._join()
            self._closer = threading.Thread(
                target=self._complete_later, args=(ending,), name="segment", daemon=True
            )
            self._closer.start()

    def _join(self) -> None:
        if self._closer is not None:
            self._closer.join()
            self._closer = None

    def _complete_later(self, segment: _Open) -> None:
        try:
            self._complete(segment, whole=False)
        except ExportError as error:
            self._error = error

    def _complete(self, segment: _Open, *, whole: bool) -> None:
        try:
            segment.recorder.close(whole=whole)
        except ExportError:
            self._rescue(segment, publish=True)
            raise
        for note in segment.recorder.notes:
            self.on_note(note)
        self._note(segment, segment.path)
        self._delete_expired()

    def _rescue(self, segment: _Open, *, publish: bool) -> None:
        path = segment.recorder.abandon(publish=publish)
        if path == segment.path:
            # A full disk has no space for the index either; the next run completes what is missing there.
            with contextlib.suppress(ExportError):
                self._note(segment, path)
            self._delete_expired()

    def _note(self, segment: _Open, path: Path) -> None:
        self._dropped += segment.recorder.dropped
        try:
            size = path.stat().st_size
        except OSError:  # deleted meanwhile
            size = 0
        seconds = max(0.0, segment.end - segment.begin)
        done = Segment(path, segment.start, seconds, segment.recorder.written, size)
        self._written += done.frames
        self._finished.append(done)
        self._index.complete(done)
        self.on_segment(done)

    def _delete_expired(self) -> None:
        expired = self._retention.expired(self._index.segments, self._clock())
        try:
            self._index.delete(expired)
        except ExportError as error:
            self.on_note(str(error))
        # A recording may go on for years.
        gone = set(expired).difference(self._index.segments)
        self._finished = [segment for segment in self._finished if segment not in gone]
