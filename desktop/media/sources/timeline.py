"""The clock of a source whose frames are made or read on demand: the sample and the folder. It maps
`time.perf_counter()` to a position in [0, duration). It does not wait and starts no thread. Thread-safe.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

SLOWEST, FASTEST = 0.25, 4.0
# Frame times are multiples of 1/rate that floats miss by some ulp; this keeps k/rate in frame k.
_EPSILON = 1e-6


@dataclass(frozen=True)
class Place:
    """State of a time line: frame number, whether it has ended, seconds until the next frame (inf if paused)."""

    index: int
    ended: bool
    wait: float


class Timeline:
    """Position in a sequence of `count` (at least 1) frames, `rate` a second at normal speed."""

    def __init__(self, count: int, rate: float, *, loop: bool) -> None:
        self._lock = threading.Lock()
        self.count = count
        self._rate = rate
        self._media = 0.0
        self._clock: float | None = None
        self._playing = True
        self._speed = 1.0
        self._span: tuple[float, float] | None = (0.0, count / rate) if loop else None

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.count / self._rate

    @property
    def playing(self) -> bool:
        """False while paused."""
        return self._playing

    @property
    def loops(self) -> bool:
        """True if it begins again at its end."""
        return self._span is not None

    def begin(self, now: float) -> None:
        """Start the clock, once."""
        with self._lock:
            if self._clock is None:
                self._clock = now

    def place(self, now: float) -> Place:
        """Return the frame that is due at `now`."""
        with self._lock:
            media = self._at(now)
            index = min(int(media * self._rate + _EPSILON), self.count - 1)
            ended = self._span is None and media >= self.duration - _EPSILON
            if not self._playing or ended or self._clock is None:
                return Place(index, ended, math.inf)
            left = ((index + 1) / self._rate - media) / self._speed
            return Place(index, False, max(left, 0.0))

    def play(self, now: float) -> None:
        """Go on; from the beginning if the end was reached."""
        with self._lock:
            self._rebase(now)
            if self._span is None and self._media >= self.duration - _EPSILON:
                self._media = 0.0
            self._playing = True

    def pause(self, now: float) -> None:
        """Hold."""
        with self._lock:
            self._rebase(now)
            self._playing = False

    def seek(self, seconds: float, now: float) -> None:
        """Go to the frame that holds `seconds`, clamped to the time line."""
        with self._lock:
            self._media = min(max(seconds, 0.0), (self.count - 1) / self._rate + 0.5 / self._rate)
            self._clock = now

    def finish(self, now: float) -> None:
        """Go to the end."""
        with self._lock:
            self._media, self._clock = self.duration, now

    def step(self, frames: int, now: float, shown: int) -> None:
        """Pause `frames` away from frame number `shown`."""
        with self._lock:
            index = min(max(shown + frames, 0), self.count - 1)
            self._media, self._clock, self._playing = index / self._rate, now, False

    def set_speed(self, factor: float, now: float) -> None:
        """Play at `factor` times the normal speed; UsageError if it is not within 0.25 to 4."""
        if not SLOWEST <= factor <= FASTEST:
            raise UsageError(
                sentence(
                    "Playback speed {factor:g} is not possible: give a factor from {slowest} to {fastest:g}.",
                    factor=factor,
                    slowest=SLOWEST,
                    fastest=FASTEST,
                )
            )
        with self._lock:
            self._rebase(now)
            self._speed = factor

    def set_loop(self, start: float | None, end: float | None, *, whole: bool, now: float) -> None:
        """Loop from `start` to `end`, everything, or not at all (both None); UsageError if start >= end."""
        with self._lock:
            self._rebase(now)
            if whole:
                self._span = (0.0, self.duration)
            elif start is None and end is None:
                self._span = None
            else:
                first, last = (
                    max(start or 0.0, 0.0),
                    min(self.duration if end is None else end, self.duration),
                )
                if last - first < 1 / self._rate - _EPSILON:
                    raise UsageError(
                        sentence("The loop is shorter than one frame: set its end after its start.")
                    )
                self._span = (first, last)

    def _at(self, now: float) -> float:
        if self._clock is None or not self._playing:
            return self._media
        media = self._media + (now - self._clock) * self._speed
        if self._span is None:
            return min(media, self.duration)
        first, last = self._span
        # A position behind the loop's end (a seek went there) wraps as well, as in mpv.
        return first + (media - first) % (last - first) if media >= last else media

    def _rebase(self, now: float) -> None:
        self._media = self._at(now)
        if self._clock is not None:
            self._clock = now
