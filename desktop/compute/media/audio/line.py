"""Which stretch of a file is heard when: the picture's time line, as its sound follows it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

# Shorter stretches of a loop than this are not repeated: they would be a tone of their own.
_SHORTEST: Final = 0.01
# A place this close before a seam is behind it: sums of floats miss by less.
_EPSILON: Final = 1e-6


@dataclass(frozen=True)
class Stretch:
    """A part of a file without a seam: the file's time at a place of the line, None for nothing, and where on the line it ends."""

    media: float | None
    until: float


@dataclass(frozen=True)
class Line:
    """What is played. The line counts seconds of the file without its jumps back: a loop's second round goes on where the first ended.

    Attributes:
        serial: another one for each jump: what was made ready for an older one is not heard any more.
        media: the file's time where the line begins, in seconds.
        at: the line's own count there.
        running: False while paused, and until the first picture behind a jump is shown.
        speed: factor of the normal speed.
        loop: A and B in the file's time; B may be infinite.
        end: the file's time at which its pictures end, once that is known: a loop goes round there. Without a loop the sound goes on.
    """

    serial: int = 0
    media: float = 0.0
    at: float = 0.0
    running: bool = False
    speed: float = 1.0
    loop: tuple[float, float] | None = None
    end: float = math.inf

    def stretch_at(self, at: float) -> Stretch:
        """Return what lies at a place of the line."""
        limit = math.inf if self.loop is None else min(self.loop[1], self.end)
        first = self.at + max(0.0, limit - self.media)
        if at + _EPSILON < first:
            return Stretch(self.media + at - self.at, first)
        if self.loop is None or limit - self.loop[0] < _SHORTEST:
            return Stretch(None, math.inf)
        length = limit - self.loop[0]
        into = (at + _EPSILON - first) % length - _EPSILON
        return Stretch(max(self.loop[0], self.loop[0] + into), at - into + length)
