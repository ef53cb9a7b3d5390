"""Curves of the audio of a video file, for what follows the audio."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from desktop.base.errors import LightloomError, SoundError
from desktop.base.wording import sentence
from desktop.media.audio.curves import AudioCurves
from desktop.media.audio.reader import SoundReader, TrackInfo, usual_track
from desktop.media.audio.track_curves import TrackCurves
from desktop.media.sources._video_file import open_file
from desktop.media.sources._video_reader import VideoReader


class VideoCurves:
    """As a `SourceCurves`; the file's frames need not have been read.

    Attributes:
        track: the number of the track; None for the one that is played, or else the default one.
    """

    def __init__(self, path: Path, played: Callable[[], int | None]) -> None:
        """Open nothing yet; `played` returns the number of the track that is played."""
        self._path, self._played = path, played
        self._lock = threading.Lock()
        self._tracks: tuple[TrackInfo, ...] | None = None
        self._origin = 0.0
        self._curves = TrackCurves(self._open_track)
        self.track: int | None = None

    @property
    def stores_samples(self) -> bool:
        """True if the curves are to have samples, for spectra."""
        return self._curves.stores_samples

    @stores_samples.setter
    def stores_samples(self, stores: bool) -> None:
        self._curves.stores_samples = stores

    @property
    def on_change(self) -> Callable[[], None]:
        """Called on another thread when curves are there, or cannot be; must only wake others."""
        return self._curves.on_change

    @on_change.setter
    def on_change(self, callback: Callable[[], None]) -> None:
        self._curves.on_change = callback

    def open(self, tracks: tuple[TrackInfo, ...], origin: float) -> None:
        """The file is open: its tracks, and the file time of the video's time 0."""
        with self._lock:
            self._tracks, self._origin = tracks, origin

    def _open_track(self, track: int) -> SoundReader:
        try:
            return SoundReader(lambda: open_file(self._path), track, self._origin, self._path.name)
        except SoundError as error:
            raise SoundError(
                sentence("The audio of {name} cannot be decoded; convert the file.", name=self._path.name)
            ) from error

    def _current(self) -> int | None:
        tracks = self._tracks or ()
        wanted = self.track if self.track is not None else self._played()
        return wanted if wanted is not None and wanted < len(tracks) else usual_track(tracks)

    @property
    def current(self) -> AudioCurves | None:
        """The curves of the track, whose computation begins with the first access; None until it ends."""
        track = self._current()
        return self._curves.get(track) if track is not None else None

    @property
    def failure(self) -> LightloomError | None:
        """Why there will be no curves; None if that is not known."""
        track = self._current()
        if track is not None:
            return self._curves.failure(track)
        return self._no_audio() if self._tracks is not None else None

    def _no_audio(self) -> SoundError:
        return SoundError(sentence("{name} has no audio; choose a video with audio.", name=self._path.name))

    def wait(self, check: Callable[[], None] = lambda: None) -> AudioCurves:
        """Return the curves when they are computed; raise LightloomError if there are none.

        `check` is called again and again and may raise to end the wait.
        """
        self.find_tracks()
        track = self._current()
        if track is None:
            raise self._no_audio()
        return self._curves.wait(track, check)

    def find_tracks(self) -> tuple[TrackInfo, ...]:
        """Return the audio tracks, and read the beginning of the file if it is not open yet."""
        if self._tracks is None:
            reader = VideoReader(self._path, hwaccel="software")
            try:
                self.open(reader.sound_tracks, reader.facts.start_time)
            finally:
                reader.close()
        return self._tracks or ()

    def close(self) -> None:
        """Stop computing. Twice is allowed."""
        self._curves.close()
