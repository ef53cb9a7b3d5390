"""Base of the sample and of folders: frames made or read one at a time, following a time line."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import Final

from desktop.base.errors import LightloomError, SourceError
from desktop.base.wording import sentence
from desktop.media.frame import Frame
from desktop.media.sources.base import (
    NewestSlot,
    Reporter,
    SourceCapabilities,
    SourceInfo,
    SourceStats,
    State,
)
from desktop.media.sources.timeline import Timeline

log = logging.getLogger(__name__)

# Seconds added to a due time: at the end of a loop rounding would otherwise decide which frame is due.
_JUST_AFTER: Final = 1e-5


class OnDemandSource(Reporter, ABC):
    """A `Seekable` with a thread that waits for the next frame's time and shows it. `rate` is frames per
    second at normal speed; `timeline` None if only the thread can find the number of frames.
    """

    def __init__(self, info: SourceInfo, rate: float, timeline: Timeline | None = None) -> None:
        super().__init__(info)
        self._rate = rate
        self._slot: NewestSlot = NewestSlot()
        # Commands received before there is a time line are deferred.
        self._timeline = timeline
        self._pending_actions: list[Callable[[Timeline], None]] = []
        self._playing = True
        self._position = 0.0
        self._delivered = 0
        self._direction = 1
        self._wake = threading.Condition()
        self._moved = self._again = self._closing = False
        self._thread: threading.Thread | None = None

    @property
    def capabilities(self) -> SourceCapabilities:
        """A time line."""
        return SourceCapabilities(timeline=self)

    # -- implemented by subclasses ---------------------------------------------------------------------------

    @abstractmethod
    def frames(self) -> Generator[Frame]:
        """See `Source`."""

    @abstractmethod
    def _open(self) -> Timeline:
        """Open the source on its thread and return the time line; LightloomError if it cannot be opened."""

    @abstractmethod
    def _show(self, place: int) -> bool:
        """Put a frame into `_slot` and report it; False if absent, LightloomError if there is none at all."""

    def _prepare(self, place: int) -> bool:
        """Make the next frame in advance, for `_show` unless a command intervenes; False if unsupported."""
        return False

    @abstractmethod
    def _no_memory(self) -> SourceError:
        """Return the error for a frame that does not fit into memory."""

    # -- consumer --------------------------------------------------------------------------------------------

    @property
    def stats(self) -> SourceStats:
        """Counters."""
        return self._slot.stats

    @property
    def position(self) -> float:
        """Presentation time in seconds of the frame last taken."""
        return self._position

    @property
    def playing(self) -> bool:
        """False while paused."""
        return self._playing

    def start(self) -> None:
        """Start on the source's thread."""
        if self._thread is None and self._state == "idle":
            self._state = "opening"
            self._thread = threading.Thread(target=self._run, name=self._info.kind, daemon=True)
            self._thread.start()

    def take(self, now: float) -> Frame | None:
        """Return the newest frame once."""
        frame = self._slot.take()
        if frame is not None:
            self._position = frame.pts
        return frame

    def close(self) -> None:
        """Stop the thread."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        self._state = "closed"

    def play(self) -> None:
        """Resume playback."""
        self._playing = True
        self._request(lambda line: line.play(time.perf_counter()))

    def pause(self) -> None:
        """Pause, showing the current frame."""
        self._playing = False
        self._request(lambda line: line.pause(time.perf_counter()))

    def seek(self, seconds: float) -> None:
        """Show the frame whose interval contains `seconds`."""
        self._direction = 1
        self._request(lambda line: line.seek(seconds, time.perf_counter()), again=True)

    def step(self, frames: int) -> None:
        """Pause and move `frames` frames forward or back."""
        self._direction = -1 if frames < 0 else 1
        held, self._playing = not self._playing, False

        def go(line: Timeline) -> None:
            now = time.perf_counter()
            # Relative to the pending position, if any: two steps at once then move two frames.
            line.step(frames, now, line.place(now).index if held else round(self._position * self._rate))

        self._request(go, again=True)

    def set_speed(self, factor: float) -> None:
        """Play at a factor of the normal speed; UsageError if it is outside 0.25 to 4."""
        # Checked here as well: before the source is open there is no time line to check it.
        Timeline(1, 1.0, loop=False).set_speed(factor, 0.0)
        self._request(lambda line: line.set_speed(factor, time.perf_counter()))

    def set_loop(self, start: float | None, end: float | None, *, whole: bool = False) -> None:
        """Loop between two times, over the whole (the default of these sources), or not at all."""
        self._request(lambda line: line.set_loop(start, end, whole=whole, now=time.perf_counter()))

    def _request(self, action: Callable[[Timeline], None], *, again: bool = False) -> None:
        # `again`: show even the frame that was shown last: the consumer may have lost it with its GPU.
        with self._wake:
            if self._timeline is None:
                self._pending_actions.append(action)
            else:
                action(self._timeline)
            self._moved = True
            self._again |= again
            self._wake.notify()

    # -- thread ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._play(self._begin())
        except LightloomError as error:
            self._error = error
            self._set_state("failed")
        except MemoryError:
            self._error = self._no_memory()
            self._set_state("failed")
        except Exception as error:
            # Whatever a file makes a library raise: the thread must not end unnoticed, with a source that seems to play.
            log.exception("reading %s", self._info.title)
            self._error = SourceError(
                sentence(
                    "{name} could not be read ({error}); try another copy of it.",
                    name=self._info.title,
                    error=error,
                )
            )
            self._set_state("failed")

    def _begin(self) -> Timeline:
        line = self._open()
        line.begin(time.perf_counter())
        with self._wake:
            for action in self._pending_actions:
                action(line)
            self._timeline = line
        return line

    def _play(self, line: Timeline) -> None:
        last, ready, missed = -1, None, 0
        while not self._closing:
            with self._wake:
                moved, self._moved = self._moved, False
                again, self._again = self._again, False
            missed = 0 if moved else missed
            place = line.place(time.perf_counter())
            # A frame made for now is shown even if late: otherwise it and all later ones would be discarded.
            index = place.index if ready is None or moved else ready
            if index != last or again:
                last, ready = index, None
                if self._show(last):
                    missed = 0
                elif missed < line.count:
                    missed += 1
                    if self._pass_over(line, last):
                        continue
                    place = line.place(time.perf_counter())
            self._set_state("ended" if place.ended else "playing" if line.playing else "paused")
            # Measured again: making the frame took time.
            now = time.perf_counter()
            due = now + line.place(now).wait
            ready = None
            if due != math.inf:
                upcoming = line.place(due + _JUST_AFTER).index
                ready = upcoming if self._prepare(upcoming) else None
            with self._wake:
                if not (self._moved or self._closing):
                    self._wake.wait(None if due == math.inf else max(0.0, due - time.perf_counter()))

    def _pass_over(self, line: Timeline, index: int) -> bool:
        """Go on from a frame that is absent; return False at the end, where nothing follows."""
        beyond = index + (1 if line.playing else self._direction)
        if 0 <= beyond < line.count or line.loops:
            # `seek` does not resume a paused source.
            line.seek(beyond % line.count / self._rate, time.perf_counter())
            return True
        if line.playing:
            line.finish(time.perf_counter())
            return False
        line.seek(self._position, time.perf_counter())
        return True

    def _set_state(self, state: State) -> None:
        if self._state != state:
            self._state = state
            self._notify_change()
