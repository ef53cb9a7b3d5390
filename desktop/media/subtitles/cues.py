"""Subtitle cues, and lookup of the cues at a time."""

from __future__ import annotations

import threading
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

# An untrusted file may have any number of them at once; more than these are not readable.
_MOST_AT_ONCE: Final = 8
# How far back from the newest cue to search: a million endless cues must not block the window.
_LOOKED_AT: Final = 2000
_MAX_CUES: Final = 200_000
_MOST_BYTES: Final = 96 << 20


@dataclass(frozen=True)
class Run:
    """A piece of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, eq=False)
class Bitmap:
    """A bitmap subtitle, compared by identity.

    Attributes:
        indices: uint8 [height, width], indices into the palette.
        palette: uint8 [entries, 4], R'G'B'A, straight alpha.
        rect: (left, top, width, height) in fractions of the video's image.
    """

    indices: np.ndarray
    palette: np.ndarray
    rect: tuple[float, float, float, float]


@dataclass(frozen=True)
class Cue:
    """A subtitle from `start` to `end` (excluded), in seconds on the video's time line: text or bitmaps.
    `runs` have line feeds; `on_top` is whether it is shown at the top.
    """

    start: float
    end: float
    runs: tuple[Run, ...] = ()
    bitmaps: tuple[Bitmap, ...] = ()
    on_top: bool = False

    @property
    def text(self) -> str:
        """The concatenated text."""
        return "".join(run.text for run in self.runs)


class CueList:
    """Cues sorted by start time; thread-safe. Beyond its capacity the first ones are discarded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._starts: list[float] = []
        self._cues: list[Cue] = []
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._cues)

    def add(self, cue: Cue) -> None:
        """Insert a cue after those that start before it or at the same time."""
        with self._lock:
            place = bisect_right(self._starts, cue.start)
            self._starts.insert(place, cue.start)
            self._cues.insert(place, cue)
            self._bytes += _bytes_of(cue)
            if len(self._cues) > _MAX_CUES or self._bytes > _MOST_BYTES:
                self._discard_first(max(1, len(self._cues) // 8))

    def _discard_first(self, count: int) -> None:
        self._bytes -= sum(map(_bytes_of, self._cues[:count]))
        del self._cues[:count], self._starts[:count]

    def end_open(self, at: float) -> None:
        """End cues of unknown end where the next one starts."""
        with self._lock:
            last = self._cues[-1] if self._cues else None
            if last is None or last.end != float("inf"):
                return
            if at > last.start:
                self._cues[-1] = replace(last, end=at)
            else:
                del self._cues[-1], self._starts[-1]
                self._bytes -= _bytes_of(last)

    def at(self, seconds: float) -> tuple[Cue, ...]:
        """Return the cues at a time, earliest start first, without duplicate texts, such as ASS's shadows."""
        with self._lock:
            behind = bisect_right(self._starts, seconds)
            near = self._cues[max(0, behind - _LOOKED_AT) : behind]
        found: list[Cue] = []
        for cue in reversed(near):
            if cue.end <= seconds:
                continue
            if cue.runs and any(cue.runs == other.runs for other in found):
                continue
            found.append(cue)
            if len(found) == _MOST_AT_ONCE:
                break
        return tuple(reversed(found))


def _bytes_of(cue: Cue) -> int:
    return sum(bitmap.indices.nbytes for bitmap in cue.bitmaps)
