"""SMPTE time codes (ST 12-1): hours, minutes, seconds and frames of a video."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Self

_FORM: Final = re.compile(r"(\d\d):(\d\d):(\d\d)([:;.])(\d{2,3})")
# Dropped numbers keep a code of 29.97 frames a second in step with the clock.
_DROPPING: Final = 30
_MOST_FPS: Final = 240
_MINUTE, _HOUR, _HOURS = 60, 3600, 24


@dataclass(frozen=True)
class TimeCode:
    """A time code.

    Attributes:
        frames: frames since 00:00:00:00, that is numbers which the code does not skip.
        fps: frames that a second counts: 30 at 29.97.
        drops: numbers are skipped each minute but the tenth (drop-frame).
    """

    frames: int
    fps: int
    drops: bool = False

    @classmethod
    def parse(cls, text: str, rate: float) -> Self | None:
        """Return the code of a text such as '01:00:00:00' (';' before the frames: drop-frame) of a video with `rate`
        frames a second; None if it is none.
        """
        fps = round(rate)
        found = _FORM.fullmatch(text.strip()[:20])
        if found is None or not 1 <= fps <= _MOST_FPS:
            return None
        hours, minutes, seconds, frame = (int(found[place]) for place in (1, 2, 3, 5))
        if hours >= _HOURS or minutes >= _MINUTE or seconds >= _MINUTE or frame >= fps:
            return None
        drops = found[4] != ":" and fps % _DROPPING == 0
        whole_minutes = hours * _MINUTE + minutes
        number = (whole_minutes * _MINUTE + seconds) * fps + frame
        if drops:
            skipped = _skipped(fps)
            if not seconds and minutes % 10 and frame < skipped:
                return None  # a number that is skipped
            number -= skipped * (whole_minutes - whole_minutes // 10)
        return cls(number, fps, drops)

    def later(self, seconds: float, rate: float) -> Self:
        """Return the code some seconds later, of a video with `rate` frames a second; midnight follows 24 hours."""
        return replace(self, frames=(self.frames + round(seconds * rate)) % self._day)

    def at(self, rate: float) -> Self:
        """Return the code with the same hours, minutes and seconds in a video with another rate."""
        fps = round(rate)
        if fps == self.fps:
            return self
        seconds, frame = divmod(self._number, self.fps)
        return replace(self, frames=seconds * fps + frame * fps // self.fps, fps=fps, drops=False)

    @property
    def _day(self) -> int:
        minutes = _HOURS * _MINUTE
        dropped = _skipped(self.fps) * (minutes - minutes // 10) if self.drops else 0
        return _HOURS * _HOUR * self.fps - dropped

    @property
    def _number(self) -> int:
        """The frames, and the numbers skipped before."""
        if not self.drops:
            return self.frames
        skipped = _skipped(self.fps)
        minute = _MINUTE * self.fps - skipped
        tens, rest = divmod(self.frames, 10 * minute + skipped)
        # The first minute of ten has all numbers.
        return self.frames + skipped * (9 * tens + max(0, (rest - skipped) // minute))

    @property
    def text(self) -> str:
        """The code as text."""
        seconds, frame = divmod(self._number, self.fps)
        hours, minutes = seconds // _HOUR, seconds // _MINUTE % _MINUTE
        return f"{hours:02}:{minutes:02}:{seconds % _MINUTE:02}{';' if self.drops else ':'}{frame:02}"


def _skipped(fps: int) -> int:
    return 2 * fps // _DROPPING
