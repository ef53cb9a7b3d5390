"""Audio of a video file, used by the video to set the time line and read the playback position."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.media.audio.line import Line
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.reader import SoundReader, TrackInfo, usual_track
from desktop.media.audio.voice import Voice
from desktop.media.file_clock import FileClock
from desktop.media.sources._video_file import open_file


class VideoSound:
    """Silent without an output or a track. Never fails: problems are reported to the output."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._output: SoundOutput | None = None
        self._voice: Voice | None = None
        self._origin = 0.0
        self._file_clock: FileClock | None = None
        self._closed = False
        self._line = Line()
        self.tracks: tuple[TrackInfo, ...] = ()

    def use(self, output: SoundOutput) -> None:
        """Be heard there from now on."""
        with self._lock:
            self._output = output
            self._begin()

    @property
    def track(self) -> int | None:
        """The number of the track that is heard, None for none."""
        return self._voice.track if self._voice is not None else None

    def use_track(self, index: int | None) -> None:
        """Hear another track from now on, or none."""
        if self._voice is not None:
            self._voice.use_track(index)

    @property
    def is_heard(self) -> bool:
        """True while its clock leads."""
        return self._voice is not None and self._voice.wants_device

    @property
    def ahead_s(self) -> float:
        """Seconds of audio that are decoded and were not given to a device yet."""
        return self._voice.ahead_s if self._voice is not None else 0.0

    @property
    def has_output(self) -> bool:
        """True once there is where to be heard."""
        return self._output is not None

    def goes_on_behind(self, media: float) -> bool:
        """Return whether there is, or may be, audio to be heard behind a time of the file in seconds."""
        return self._voice is not None and self._voice.goes_on_behind(media)

    # -- the video's side ------------------------------------------------------------------------------------

    def open(self, tracks: tuple[TrackInfo, ...], origin: float, clock: FileClock) -> None:
        """The file is open: its tracks, the file time of the video's time 0, and its clock."""
        with self._lock:
            self.tracks, self._origin, self._file_clock = tracks, origin, clock
            self._begin()

    def _begin(self) -> None:
        """Speak, once there are both a file and an output."""
        output, origin, clock = self._output, self._origin, self._file_clock
        if output is None or not self.tracks or self._voice is not None or self._closed:
            return

        def opens(index: int) -> SoundReader:
            return SoundReader(lambda: open_file(self._path), index, origin, self._path.name, clock)

        self._voice = Voice(
            opens, usual_track(self.tracks) or 0, output, clock=self._clock, on_failure=output.notify
        )
        self._voice.follow(self._line)

    def change(self, **changes: Any) -> None:
        """Go on in another way; `changes` are attributes of `Line`."""
        with self._lock:
            line = replace(self._line, **changes)
            if line != self._line:
                self._line = line
                if self._voice is not None:
                    self._voice.follow(line)

    def jump(self, media: float, at: float) -> None:
        """Continue at another file time and line position; silent until the video arrives (`running`)."""
        self.change(serial=self._line.serial + 1, media=media, at=at, running=False)

    def line_at(self, now: float, free: float) -> float | None:
        """See `Voice`."""
        return self._voice.line_at(now, free) if self._voice is not None else None

    def close(self) -> None:
        """Stop. Twice is allowed."""
        with self._lock:
            self._closed = True
        if self._voice is not None:
            self._voice.close()
