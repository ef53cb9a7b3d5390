"""Subtitles of a video file, read on a separate thread that follows the requested times."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from desktop.base.errors import LightloomError
from desktop.media.file_clock import FileClock
from desktop.media.sources._video_file import open_file
from desktop.media.subtitles.cues import Cue
from desktop.media.subtitles.reader import SubtitleReader, guessed_note, unreadable
from desktop.media.subtitles.tracks import SubtitleTrack, file_track, sidecar_tracks

log = logging.getLogger(__name__)

_JOIN_TIMEOUT: Final = 2.0


class VideoSubtitles:
    """Off until a track is chosen. Never fails: errors go to `on_failure`, notes for the user to `on_note`,
    on the reader's thread; `on_change` (more is known) must only wake another one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._origin = 0.0
        self._clock: FileClock | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._reader: SubtitleReader | None = None
        self._requested: float | None = None
        self._closed = False
        self.tracks: tuple[SubtitleTrack, ...] = ()
        self.track: int | None = None
        self.on_change: Callable[[], None] = lambda: None
        self.on_failure: Callable[[LightloomError], None] = lambda error: None
        self.on_note: Callable[[str], None] = lambda text: None

    def open(self, tracks: tuple[SubtitleTrack, ...], origin: float, clock: FileClock) -> None:
        """The file is open: its tracks, the file time of the video's time 0, and its clock."""
        found = sidecar_tracks(self._path)
        with self._changed:
            self.tracks, self._origin, self._clock = tracks + found, origin, clock

    def add_file(self, path: Path) -> int:
        """Add a file of text to the tracks; returns its place there."""
        track = file_track(path)
        with self._changed:
            if track not in self.tracks:
                self.tracks = (*self.tracks, track)
            return self.tracks.index(track)

    def use_track(self, place: int | None) -> None:
        """Show another track from now on, by its place, or none."""
        with self._changed:
            if place == self.track or (place is not None and not 0 <= place < len(self.tracks)):
                return
            self.track = place
            self._let_go()
            if place is not None and not self._closed:
                # A thread for each track: one that still waits for a slow disk must not hold up the next.
                self._thread = threading.Thread(
                    target=self._run, args=(self.tracks[place],), name="subtitles", daemon=True
                )
                self._thread.start()

    def at(self, seconds: float) -> tuple[Cue, ...]:
        """Return what stands at a time, as far as it is known; the rest is read. Never blocks."""
        with self._changed:
            if self.track is None:
                return ()
            if self._requested != seconds:
                self._requested = seconds
                self._changed.notify_all()
            return self._reader.cues.at(seconds) if self._reader is not None else ()

    def close(self) -> None:
        """Stop. Twice is allowed."""
        with self._changed:
            self._closed = True
            thread = self._thread
            self._let_go()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_TIMEOUT)

    def _let_go(self) -> None:
        if self._reader is not None:
            self._reader.interrupt()
        self._reader = self._thread = None
        self._changed.notify_all()

    # -- the thread ------------------------------------------------------------------------------------------

    def _run(self, track: SubtitleTrack) -> None:
        try:
            reader = self._opened(track)
        except LightloomError as error:
            self._fail(error)
            return
        try:
            self._serve(reader, (track.file or self._path).name)
        except Exception:
            log.exception("subtitles of %s", self._path)
            self._fail(unreadable(self._path.name))
        finally:
            reader.close()

    def _opened(self, track: SubtitleTrack) -> SubtitleReader:
        if track.file is not None:
            return SubtitleReader.of_file(track.file)
        return self.reader_of(track)

    def reader_of(self, track: SubtitleTrack) -> SubtitleReader:
        """Open one of the video's own tracks for separate reading; SourceError if it cannot be read."""
        return SubtitleReader(
            open_file(self._path),
            track.index,
            self._origin,
            self._path.name,
            opens=lambda: open_file(self._path),
            clock=self._clock,
        )

    def _serve(self, reader: SubtitleReader, name: str) -> None:
        mine = threading.current_thread()
        with self._changed:
            if self._thread is not mine:
                return
            self._reader = reader
        told = False
        while True:
            if reader.is_guessed and not told:
                told = True
                self.on_note(guessed_note(name))
            self.on_change()
            with self._changed:
                while self._thread is mine and (
                    self._requested is None or not reader.is_behind(self._requested)
                ):
                    self._changed.wait()
                if self._thread is not mine:
                    return
                wanted = self._requested
            assert wanted is not None
            reader.read_to(wanted)

    def _fail(self, error: LightloomError) -> None:
        with self._changed:
            if self._thread is not threading.current_thread():
                return
            self.track = self._thread = self._reader = None
        self.on_failure(error)
        self.on_change()
