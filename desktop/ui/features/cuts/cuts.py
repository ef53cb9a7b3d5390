"""The scene cuts of the open video file, found on a thread of their own."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.media.sources.opening import open_source
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.playback import Playback

# Positions within so much of a cut, in seconds, are at it.
_SAME_S: Final = 0.002


class Cuts(QObject):
    """Finds cuts on request and forgets them with the video.

    Attributes:
        times: of the cuts found so far, in seconds, in order.
        is_finding: True while frames are read.
        is_complete: True once all were found.

    Signals:
        changed: one of these has changed.
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, messages: Messages, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._messages, self._playback = jobs, messages, playback
        self.times: tuple[float, ...] = ()
        self.is_finding = self.is_complete = False
        self._of: object = None
        self._stop = threading.Event()
        self._found = ThreadSignal(self._add)
        playback.changed.connect(self._follow)

    @property
    def is_offered(self) -> bool:
        """True for a video file."""
        info = self._playback.info
        return info is not None and info.kind == "video" and self._playback.seekable is not None

    def find(self) -> None:
        """Begin to find the cuts of the open video, from its beginning, unless that has begun."""
        if not self.is_offered or self.is_finding or self.is_complete:
            return
        # Those of a search that was stopped or failed are found again.
        self.times, self.is_finding, self._stop = (), True, threading.Event()
        stop, name, found = self._stop, self._playback.name, self._found
        self._jobs.run(
            lambda: _find(name, stop, found.send),
            lambda _: self._end(stop),
            self._fail(stop),
            is_long=True,
        )
        self.changed.emit()

    def stop(self) -> None:
        """End the search and keep what was found."""
        self._stop.set()
        self.is_finding = False
        self.changed.emit()

    def next(self, direction: int) -> float | None:
        """Return the time of the cut after (1) or before (-1) the position; None if there is none."""
        seekable = self._playback.seekable
        at = seekable.position if seekable is not None else 0.0
        if direction > 0:
            place = bisect_right(self.times, at + _SAME_S)
            return self.times[place] if place < len(self.times) else None
        place = bisect_left(self.times, at - _SAME_S)
        return self.times[place - 1] if place else None

    def _follow(self) -> None:
        """Forget the cuts of another source."""
        if self._playback.source is not self._of:
            self._of = self._playback.source
            self.times, self.is_complete = (), False
            self.stop()

    def _add(self, stop: object, seconds: float) -> None:
        if stop is self._stop and not self._stop.is_set():
            self.times = (*self.times, seconds)
            self.changed.emit()

    def _end(self, stop: threading.Event) -> None:
        if stop is not self._stop or stop.is_set():
            return
        self.is_finding, self.is_complete = False, True
        self._messages.post("info", self.tr("Scene cuts found: {0}").format(len(self.times)), about="cuts")
        self.changed.emit()

    def _fail(self, stop: threading.Event) -> Callable[[LightloomError], None]:
        def failed(error: LightloomError) -> None:
            if stop is self._stop:
                self.is_finding = False
                self._messages.post("error", str(error), about="cuts")
                self.changed.emit()

        return failed

    def close(self) -> None:
        """End the search."""
        self._stop.set()


def _find(name: str, stop: threading.Event, found: Callable[[object, object], None]) -> None:
    """Read a video's frames and report its cuts until `stop` is set."""
    from desktop.media.scene_cuts import CutFinder, luma_for_cuts

    source = open_source(name)
    frames, finder = source.frames(), CutFinder()
    try:
        for frame in frames:
            if stop.is_set():
                return
            for cut in finder.add(luma_for_cuts(frame), frame.pts):
                found(stop, cut.pts)
        for cut in finder.end():
            found(stop, cut.pts)
    finally:
        frames.close()
        source.close()
