"""Frame interpolation during playback, on a separate thread for which the source never waits. A frame made in
time is inserted between its two; a late one is discarded.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from desktop.media.frame import Frame
from desktop.media.sources.base import FrameInterpolation, NewestSlot

_IDLE_POLL: Final = 0.25
_JOIN_S: Final = 5.0
_MOST_WAITING: Final = 6
# The share that the newest interval has in the mean one: cameras' frames come unevenly.
_SHARE: Final = 0.1


@dataclass(frozen=True)
class Pair:
    """Two consecutive frames, the displayed seconds between them, and the queue's items (`ends`)."""

    first: Frame
    second: Frame
    seconds: float
    ends: tuple[Any, Any]


class PairThread:
    """Makes frames between two of a queue's, on a thread that exists while an interpolation is active."""

    def __init__(
        self,
        changed: threading.Condition,
        find: Callable[[], Pair | None],
        insert: Callable[[Pair, tuple[Frame, ...]], None],
    ) -> None:
        """Make it without a thread. `changed` is the queue's lock, notified when it has another frame.

        With the lock held, `find` returns the next pair, each once, and `insert` takes the frames made.
        """
        self._changed, self._find, self._insert = changed, find, insert
        self._thread: threading.Thread | None = None
        self.interpolation: FrameInterpolation | None = None

    def use(self, interpolation: FrameInterpolation | None) -> None:
        """Have another one make them, or none; the one before is closed. With the lock not held."""
        with self._changed:
            old, self.interpolation = self.interpolation, interpolation
            if interpolation is not None and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="frame interpolation", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        if old is not None and old is not interpolation:
            old.close()

    def close(self) -> None:
        """As `use` of none, and wait until what is being made is done."""
        with self._changed:
            old, self.interpolation, thread = self.interpolation, None, self._thread
            self._changed.notify_all()
        if thread is not None:
            thread.join(_JOIN_S)
        if old is not None:
            old.close(wait=True)

    def _run(self) -> None:
        while True:
            with self._changed:
                used, pair = self.interpolation, None
                while used is not None and (pair := self._find()) is None:
                    self._changed.wait(_IDLE_POLL)
                    used = self.interpolation
                if used is None or pair is None:
                    self._thread = None
                    return
            made = used.between(pair.first, pair.second, pair.seconds)
            with self._changed:
                if used is self.interpolation:
                    self._insert(pair, made)


@dataclass(frozen=True)
class _Waiting:
    frame: Frame
    at: float
    number: int
    is_made: bool = False
    follows: bool = True


class InterpolatedSlot(NewestSlot):
    """A `NewestSlot` with interpolated frames: all are shown `delay` seconds after they arrived, at `speed`
    times the normal speed.
    """

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition(self._lock)
        self._waiting: deque[_Waiting] = deque()
        self._last: _Waiting | None = None
        self._taken_last: _Waiting | None = None
        self._follows = False
        self._interval = 0.0
        self._bridged = 0
        self.speed = 1.0
        self._pairs = PairThread(self._changed, self._find, self._insert)
        self.delay = 0.0

    @property
    def interpolation(self) -> FrameInterpolation | None:
        """Frame interpolation of what plays; None for none."""
        return self._pairs.interpolation

    def interpolate_by(self, interpolation: FrameInterpolation | None) -> None:
        """Have frames made between two by another one, or by none; the one before is closed."""
        self._pairs.use(interpolation)
        if interpolation is None:
            self.cut()

    def cut(self) -> None:
        """The next frame does not follow the ones before; of those that wait the newest is shown at once."""
        with self._changed:
            own = [each for each in self._waiting if not each.is_made]
            self._waiting.clear()
            self._taken_last, self._follows, self._interval, self.delay = None, False, 0.0, 0.0
            if own:
                self._frame = own[-1].frame
                self._dropped += len(own) - 1

    def put(self, frame: Frame) -> None:
        """Take a frame: the newest one, or with an interpolation the next one."""
        used = self._pairs.interpolation
        if used is None:
            super().put(frame)
            return
        with self._changed:
            self._decoded += 1
            if self._is_closed:
                self._discarded += 1
                return
            self.delay = self._delay_of(frame, used)
            at = frame.captured_at + self.delay
            self._last = _Waiting(frame, at, self._decoded, follows=self._follows)
            self._waiting.append(self._last)
            self._follows = True
            while len(self._waiting) > _MOST_WAITING:
                self._dropped += not self._waiting.popleft().is_made
            self._changed.notify_all()

    def _delay_of(self, frame: Frame, used: FrameInterpolation) -> float:
        last = self._last
        self._follows = self._follows and last is not None and frame.pts >= last.frame.pts
        if last is None or not self._follows:
            self._interval = 0.0
            return 0.0
        # Many cameras stamp nothing: when they came tells how far they are apart.
        apart = (frame.pts - last.frame.pts) / self.speed or frame.captured_at - last.frame.captured_at
        self._interval = self._interval + (apart - self._interval) * _SHARE if self._interval else apart
        return used.delay(self._interval)

    def take_at(self, now: float) -> Frame | None:
        """Return the newest frame that is due at a time of `time.perf_counter()`, once."""
        with self._changed:
            due: _Waiting | None = None
            while self._waiting and self._waiting[0].at <= now:
                self._dropped += due is not None and not due.is_made
                due = self._waiting.popleft()
                if not due.is_made:
                    self._taken_last = due
            if due is not None:
                self._taken += not due.is_made
                self._frame = None
                return due.frame
        return self.take()

    def _find(self) -> Pair | None:
        own = [each for each in (self._taken_last, *self._waiting) if each is not None and not each.is_made]
        for first, second in pairwise(own):
            if second.number > self._bridged:
                self._bridged = second.number
                if second.follows:
                    return Pair(first.frame, second.frame, self._interval, (first, second))
        return None

    def _insert(self, pair: Pair, made: tuple[Frame, ...]) -> None:
        first, second = pair.ends
        place = next((n for n, each in enumerate(self._waiting) if each is second), None)
        for n, frame in enumerate(made if place is not None else ()):
            at = first.at + (second.at - first.at) * (n + 1) / (len(made) + 1)
            self._waiting.insert((place or 0) + n, _Waiting(frame, at, second.number, is_made=True))

    def close(self) -> None:
        """Make nothing any more, and discard the frames that wait."""
        self._pairs.close()
        with self._changed:
            self._discarded += sum(not each.is_made for each in self._waiting)
            self._waiting.clear()
        super().close()
