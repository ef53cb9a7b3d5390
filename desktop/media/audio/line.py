"""The audio time line: which part of a file is heard when, following the video's playback."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

# Shorter loops are not repeated: they would be heard as a tone.
_SHORTEST: Final = 0.01
# A position this close before a seam counts as after it: float sums are more exact.
_EPSILON: Final = 1e-6


@dataclass(frozen=True)
class Stretch:
    """A part of a file: file time at a line position (None: silence), and the line position of its end."""

    media: float | None
    until: float


@dataclass(frozen=True)
class Line:
    """State of playback.

    The line counts seconds of the file without jumps back: the second round of a loop continues where the
    first ended.

    Attributes:
        serial: changes with each jump; audio prepared for an older one is discarded.
        media: the file's time at the line position `at`, where the line begins, in seconds.
        running: False while paused, and until the first frame after a jump is shown.
        loop: A and B in the file's time; B may be infinite.
        end: the file's time at which its frames end, once known: a loop wraps around there.
    """

    serial: int = 0
    media: float = 0.0
    at: float = 0.0
    running: bool = False
    speed: float = 1.0
    loop: tuple[float, float] | None = None
    end: float = math.inf

    def stretch_at(self, at: float) -> Stretch:
        """Return the stretch at a position of the line."""
        limit = math.inf if self.loop is None else min(self.loop[1], self.end)
        first = self.at + max(0.0, limit - self.media)
        if at + _EPSILON < first:
            return Stretch(self.media + at - self.at, first)
        if self.loop is None or limit - self.loop[0] < _SHORTEST:
            return Stretch(None, math.inf)
        length = limit - self.loop[0]
        into = (at + _EPSILON - first) % length - _EPSILON
        return Stretch(max(self.loop[0], self.loop[0] + into), at - into + length)
