"""The source that plays: opened on a thread, watched through its own callback, replaced only once the next one has a picture."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.compute.media.frame import Frame
from desktop.compute.media.sources.base import Seekable, Source, SourceInfo, State
from desktop.compute.media.sources.opening import open_source
from desktop.errors import LightloomError, SourceError
from desktop.ui.jobs import Jobs
from desktop.wording import sentence

SPEEDS: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
Opener = Callable[[], Source]


class Playback(QObject):
    """Holds the source in use and a candidate that is being opened.

    Signals:
        woken: a source has something new (a picture, a state).
        changed: another source, or another state of it.
        moved: the transport's settings changed (speed, loop, playing).
        jumped: what comes next lies elsewhere in the source.
        opened: the name under which a source was opened, once its first picture is there.
        failed: a sentence.
    """

    woken = Signal()
    changed = Signal()
    moved = Signal()
    jumped = Signal()
    opened = Signal(str)
    failed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    _wake = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._source: Source | None = None
        self._candidate: Source | None = None
        self._candidate_name = ""
        self._name = ""
        self._opening: object | None = None
        self._queue: deque[str] = deque()
        self._last_state: State | None = None
        self._had_picture = False
        self._missed = False
        self._told = ""
        self._signalled = threading.Event()
        self.speed = 1.0
        self.loop_whole = False
        self.loop_a: float | None = None
        self.loop_b: float | None = None
        self._wake.connect(self._on_wake, Qt.ConnectionType.QueuedConnection)
        # A file's pictures fall due without anybody saying so.
        self._clock = QTimer(self)
        self._clock.setTimerType(Qt.TimerType.PreciseTimer)
        self._clock.setInterval(4)
        self._clock.timeout.connect(self.woken)

    # -- what plays --------------------------------------------------------------------------------------------------

    @property
    def source(self) -> Source | None:
        """The source in use."""
        return self._source

    @property
    def has_picture(self) -> bool:
        """True if the source in use has shown something, or is about to.

        False for a camera that was not there from the beginning, also while it is tried again: the page would change every second.
        """
        return self._source is not None and (self._had_picture or not self._missed)

    @property
    def name(self) -> str:
        """What was opened: a path, an address, 'sample', 'camera:...'."""
        return self._name

    @property
    def info(self) -> SourceInfo | None:
        """What is known of the source in use."""
        return self._source.info if self._source is not None else None

    @property
    def is_opening(self) -> bool:
        """True while another source is being opened."""
        return self._opening is not None or self._candidate is not None

    @property
    def seekable(self) -> Seekable | None:
        """The source in use, if it has a time line."""
        source = self._source
        if source is None or not source.info.seekable:
            return None
        return source if isinstance(source, Seekable) else None

    @property
    def is_playing(self) -> bool:
        """True while pictures are to be expected."""
        seekable = self.seekable
        if seekable is not None:
            return seekable.playing and seekable.state != "ended"
        return self._source is not None and self._source.state in ("live", "playing", "opening", "asking")

    # -- opening -----------------------------------------------------------------------------------------------------

    def enqueue(self, spec: str) -> None:
        """Open something after what is being opened now: of several that were dropped each is tried, and the last good one stays."""
        if self._is_busy:
            self._queue.append(spec)
        else:
            self._open(spec)

    @property
    def _is_busy(self) -> bool:
        waiting = self._source is not None and self._source.state in ("idle", "opening")
        return self.is_opening or waiting

    def _next(self) -> None:
        if self._queue and not self._is_busy:
            self._open(self._queue.popleft())

    def open(self, spec: str | Path) -> None:
        """Open a path, an address or a name; what plays goes on until the new one has a picture."""
        self._queue.clear()
        self._open(spec)

    def _open(self, spec: str | Path) -> None:
        self.open_with(str(spec), lambda: open_source(spec))

    def open_with(self, name: str, opener: Opener) -> None:
        """Open what `opener` makes, on a thread."""
        self._drop_candidate()
        ticket = object()
        self._opening = ticket
        self.changed.emit()

        def opened(source: Source) -> None:
            if self._opening is not ticket:
                self._dispose(source)
                return
            self._opening = None
            self._begin(name, source)

        def failed(error: LightloomError) -> None:
            if self._opening is ticket:
                self._opening = None
                self.failed.emit(str(error))
                self.changed.emit()
                self._next()

        self._jobs.run(opener, opened, failed)

    def adopt(self, name: str, source: Source) -> None:
        """Take over a source that was started already."""
        self._begin(name, source)

    def _begin(self, name: str, source: Source) -> None:
        kind = source.info.kind
        if kind == "camera" and self._source is not None and self._source.info.kind == "camera":
            # A camera is one program's at a time, and often one stream's: the old one must let go first.
            self.stop()
        self._candidate, self._candidate_name = source, name
        source.on_change = self._on_source_change
        source.start()
        if self._source is None:
            self._adopt()
        self.changed.emit()

    def _on_source_change(self) -> None:
        # Called by the source's thread. The flag keeps a fast source from filling the event queue.
        if not self._signalled.is_set():
            self._signalled.set()
            with contextlib.suppress(RuntimeError):  # the window is gone
                self._wake.emit()

    def _on_wake(self) -> None:
        self._signalled.clear()
        self._check_candidate()
        self._check_state()
        self.woken.emit()

    def _check_candidate(self) -> None:
        candidate = self._candidate
        if candidate is None:
            return
        if candidate.state == "failed" and candidate.info.kind != "camera":
            self._told = ""
            self._report(candidate)
            self._drop_candidate()
            self.changed.emit()
            self._next()
        elif candidate.state not in ("idle", "opening", "asking"):
            self._adopt()

    def _report(self, source: Source) -> None:
        error = source.error or SourceError(
            sentence("{title} could not be opened; try another source.", title=source.info.title)
        )
        self._tell(str(error))

    def _tell(self, text: str) -> None:
        # A camera that is tried again every second fails for the same reason each time; that is said once.
        if text != self._told:
            self._told = text
            self.failed.emit(text)

    def _adopt(self) -> None:
        old, self._source = self._source, self._candidate
        self._name = self._candidate_name
        self._candidate = None
        self._last_state, self._had_picture, self._missed, self._told = None, False, False, ""
        self.speed, self.loop_whole, self.loop_a, self.loop_b = 1.0, False, None, None
        if self._source is not None and self._source.info.kind == "sample":
            self.loop_whole = True
        if old is not None:
            self._dispose(old)
        self._check_state()

    def _check_state(self) -> None:
        source = self._source
        if source is None or source.state == self._last_state:
            return
        before, self._last_state = self._last_state, source.state
        self._missed = self._missed or source.state in ("lost", "failed")
        if source.state == "failed":
            self._report(source)
            # A camera that is busy tries again by itself, one that is not allowed waits for the user: both stay.
            if source.info.kind != "camera":
                self.stop()
                self._next()
                return
        begins = before in (None, "idle", "opening", "asking") or not self._had_picture
        if begins and source.state in ("live", "playing", "paused", "ended"):
            self._had_picture, self._told = True, ""
            self.opened.emit(self._name)
        elif source.state == "lost" and source.error is not None:
            self._tell(str(source.error))
        self._set_clock()
        self.changed.emit()
        self._next()

    def _set_clock(self) -> None:
        runs = self._source is not None and self._source.info.kind == "video" and self.is_playing
        if runs != self._clock.isActive():
            self._clock.start() if runs else self._clock.stop()

    def _drop_candidate(self) -> None:
        self._opening = None
        if self._candidate is not None:
            self._dispose(self._candidate)
            self._candidate = None

    def _dispose(self, source: Source) -> None:
        # Joining its thread may take seconds (a stream that does not answer).
        source.on_change = None
        self._jobs.run(source.close)

    def cancel(self) -> None:
        """Give up opening."""
        self._queue.clear()
        self._drop_candidate()
        self.changed.emit()

    def stop(self) -> None:
        """Close what plays."""
        self._clock.stop()
        if self._source is not None:
            self._dispose(self._source)
        self._source, self._name, self._last_state = None, "", None
        self.changed.emit()

    def take(self) -> Frame | None:
        """Return the picture that is due, if there is a new one."""
        source = self._source
        if source is None:
            return None
        frame = source.take(time.perf_counter())
        if source.state != self._last_state:
            self._check_state()
        return frame

    def close(self) -> None:
        """Stop everything, and wait for it."""
        self._clock.stop()
        for source in (self._source, self._candidate):
            if source is not None:
                source.on_change = None
                source.close()
        self._source = self._candidate = None

    # -- the transport -----------------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or pause; after the end, play again."""
        seekable = self.seekable
        if seekable is None:
            return
        if self.is_playing:
            seekable.pause()
        else:
            seekable.play()
        self._after()

    def seek(self, seconds: float) -> None:
        """Go to a time, clamped to both ends."""
        seekable = self.seekable
        if seekable is not None:
            duration = seekable.info.duration
            seekable.seek(max(0.0, min(seconds, duration) if duration else seconds))
            self.jumped.emit()
            self._after()

    def seek_by(self, seconds: float) -> None:
        """Go on, or back if negative."""
        if self.seekable is not None:
            self.seek(self.seekable.position + seconds)

    def step(self, frames: int) -> None:
        """Pause and go some frames on, or back if negative."""
        if self.seekable is not None:
            self.seekable.step(frames)
            self._after()

    def set_speed(self, factor: float) -> None:
        """Play at 0.25 to 4 times the normal speed."""
        if self.seekable is not None:
            self.speed = max(SPEEDS[0], min(SPEEDS[-1], factor))
            self.seekable.set_speed(self.speed)
            self._after()

    def nudge_speed(self, direction: int) -> None:
        """Take the next faster (1) or slower (-1) speed."""
        others = [s for s in SPEEDS if (s - self.speed) * direction > 1e-6]
        if others:
            self.set_speed(min(others) if direction > 0 else max(others))

    def toggle_loop(self) -> None:
        """Loop over the whole, or not."""
        if self.seekable is not None:
            self.loop_whole = not self.loop_whole
            self.loop_a = self.loop_b = None
            self._apply_loop()

    def mark_loop(self) -> None:
        """Set A, then B, then neither, at the present time."""
        seekable = self.seekable
        if seekable is None:
            return
        here = seekable.position
        if self.loop_a is None:
            self.loop_a = here
        elif self.loop_b is None and abs(here - self.loop_a) > 1e-3:
            self.loop_a, self.loop_b = min(self.loop_a, here), max(self.loop_a, here)
        else:
            self.loop_a = self.loop_b = None
        self._apply_loop()

    def _apply_loop(self) -> None:
        seekable = self.seekable
        if seekable is None:
            return
        if self.loop_a is not None and self.loop_b is not None:
            seekable.set_loop(self.loop_a, self.loop_b)
        else:
            seekable.set_loop(None, None, whole=self.loop_whole)
        self._after()

    def _after(self) -> None:
        self._set_clock()
        self.moved.emit()
        self.woken.emit()
