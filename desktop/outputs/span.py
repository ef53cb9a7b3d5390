"""The part of a source that is wanted."""

from __future__ import annotations

import itertools
import math
import re
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.media.frame import Frame
from desktop.media.sources.base import Source

_TIME: Final = re.compile(r"(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?|\.\d+)")
# A frame whose time was computed misses it by some ulp.
EPSILON: Final = 1e-6


@dataclass(frozen=True)
class TimeSpan:
    """From `start` to `end` (exclusive, None: the end), in seconds of the source; UsageError if empty."""

    start: float = 0.0
    end: float | None = None

    def __post_init__(self) -> None:
        end = math.inf if self.end is None else self.end
        if not (math.isfinite(self.start) and 0.0 <= self.start < end):
            raise UsageError(
                sentence(
                    "The part from {start:g} to {end:g} s is empty; choose an end behind its start.",
                    start=self.start,
                    end=end,
                )
            )

    @property
    def is_complete(self) -> bool:
        """True if nothing is left out."""
        return self.start == 0.0 and self.end is None

    @property
    def text(self) -> str:
        """The part as `parse` reads it."""
        return f"{self.start:.6f}-{'' if self.end is None else f'{self.end:.6f}'}"

    @classmethod
    def parse(cls, text: str) -> TimeSpan:
        """Parse '5-20', '1:05.5-1:20', '-10' or '90-'; UsageError for anything else."""
        start, dash, end = text.strip().partition("-")
        if not dash:
            raise UsageError(
                sentence(
                    "'{text}' is no part of a video; write it as 5-20, 1:05.5-1:20, -10 or 90-.", text=text
                )
            )
        return cls(time_of(start) if start else 0.0, time_of(end) if end else None)

    def length(self, duration: float) -> float:
        """Return how many seconds it is of a source of `duration` seconds."""
        end = duration if self.end is None else min(self.end, duration)
        return max(0.0, end - self.start)

    def frames(self, source: Source) -> Generator[Frame]:
        """Yield the source's frames of it, unpaced; see `Source.frames`."""
        frames_from = source.capabilities.frames_from
        if self.start > 0.0 and frames_from is not None:
            frames = frames_from(self.start)
        else:
            frames = source.frames()
        try:
            found = itertools.dropwhile(lambda frame: frame.pts < self.start - EPSILON, frames)
            end = math.inf if self.end is None else self.end - EPSILON
            yield from itertools.takewhile(lambda frame: frame.pts < end, found)
        finally:
            frames.close()


class TimeLimit:
    """Time limit in seconds of a source's timestamps, or of the clock for live sources, as these may stall
    and their senders often make timestamps up.
    """

    def __init__(self, seconds: float, *, is_live: bool) -> None:
        """`seconds`: from the first frame on, 0.0 for no limit."""
        self._seconds = seconds or math.inf
        self._is_live = is_live
        self._begun: float | None = None

    def of(self, frames: Iterable[Frame]) -> Generator[Frame]:
        """Yield the frames that are within it."""
        for frame in frames:
            now = time.monotonic() if self._is_live else frame.pts
            self._begun = now if self._begun is None else self._begun
            if now - self._begun > self._seconds - EPSILON:
                return
            yield frame

    def is_over(self) -> bool:
        """Return True once it is over, though no frame came since; on any thread."""
        begun = self._begun
        return self._is_live and begun is not None and time.monotonic() - begun >= self._seconds


def time_of(text: str) -> float:
    """Return the seconds of a time such as 5, 1:05.5 or 1:00:00; raise UsageError for anything else."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            sentence(
                "'{text}' is no time; write seconds, or hours, minutes and seconds as in 1:05.5.", text=text
            )
        )
    hours, minutes, seconds = found.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds)
