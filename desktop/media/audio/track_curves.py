"""Curves of a file's audio tracks, computed once for each on a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from desktop.base.errors import LightloomError, SoundError
from desktop.base.wording import sentence
from desktop.media.audio.curves import AudioCurves, CurveMaker
from desktop.media.audio.reader import SoundReader
from desktop.media.audio.samples import RATE

log = logging.getLogger(__name__)

MOST_SECONDS: Final = 4 * 3600
"""Of a longer track, the rest is left out."""
# How often who waits looks whether to go on.
_POLL_S: Final = 0.1
_JOIN_S: Final = 2.0


class _Canceled(Exception):
    pass


class TrackCurves:
    """Curves by track. Thread-safe.

    Attributes:
        on_change: called on the computing thread when a track is done; must only wake others.
        stores_samples: the curves are to have samples; a track whose curves have none is computed again.
    """

    def __init__(self, open_track: Callable[[int], SoundReader], most_seconds: int = MOST_SECONDS) -> None:
        """Compute nothing yet; `open_track` is called on the computing thread and may raise SoundError."""
        self._open_track, self._most = open_track, most_seconds
        self._changed = threading.Condition()
        self._done: dict[int, AudioCurves] = {}
        self._failed: dict[int, LightloomError] = {}
        self._wanted: int | None = None
        self.stores_samples = False
        self._thread: threading.Thread | None = None
        self._closed = False
        self.on_change: Callable[[], None] = lambda: None

    def get(self, track: int) -> AudioCurves | None:
        """Return a track's curves, None while they are computed, which begins now, or after a failure."""
        with self._changed:
            if not self._is_done(track) and not self._closed:
                self._wanted = track
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="audio curves", daemon=True)
                    self._thread.start()
            found = self._done.get(track)
            return found if self._is_done(track) else None

    def _is_done(self, track: int) -> bool:
        found = self._done.get(track)
        lacks_samples = found is not None and self.stores_samples and found.samples is None
        return track in self._failed or (found is not None and not lacks_samples)

    def failure(self, track: int) -> LightloomError | None:
        """Return why a track cannot be decoded; None if that is not known."""
        return self._failed.get(track)

    def wait(self, track: int, check: Callable[[], None]) -> AudioCurves:
        """Return a track's curves when they are computed; raise LightloomError if it cannot be decoded.

        `check` is called again and again and may raise to end the wait.
        """
        while (found := self.get(track)) is None:
            check()
            with self._changed:
                if track in self._failed:
                    raise self._failed[track]
                if self._closed:
                    raise SoundError(sentence("The audio was closed while it was read; open it again."))
                self._changed.wait(_POLL_S)
        return found

    def close(self) -> None:
        """Stop computing. Twice is allowed."""
        with self._changed:
            self._closed = True
            thread = self._thread
            self._changed.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_S)

    def _run(self) -> None:
        while True:
            with self._changed:
                track, self._wanted = self._wanted, None
                if track is None or self._closed or self._is_done(track):
                    self._thread = None
                    return
            self._compute(track)
            self.on_change()

    def _compute(self, track: int) -> None:
        curves: AudioCurves | None = None
        failure: LightloomError | None = None
        try:
            curves = self._read(self._open_track(track), track)
        except _Canceled:
            return
        except LightloomError as error:
            failure = error
        except Exception as error:
            # A file is not trusted: whatever it raises, the video continues.
            log.exception("curves of an audio track")
            failure = SoundError(
                sentence("The audio could not be read ({error}); convert the file.", error=str(error)[:200])
            )
        with self._changed:
            if curves is not None:
                self._done[track] = curves
            elif failure is not None:
                self._failed[track] = failure
            self._changed.notify_all()

    def _read(self, reader: SoundReader, track: int) -> AudioCurves:
        maker = CurveMaker(stores_samples=self.stores_samples)
        try:
            for second in range(self._most):
                if self._closed or self._wanted not in (None, track):
                    raise _Canceled
                samples = reader.read(RATE)
                rest = RATE if reader.ends is None else round((reader.ends - second) * RATE)
                maker.add(samples[: max(0, rest)])
                if rest <= RATE and reader.ends is not None:
                    break
        finally:
            reader.close()
        return maker.finish()
