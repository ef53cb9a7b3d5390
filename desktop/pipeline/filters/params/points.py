"""Lines of points of the frame."""

from __future__ import annotations

import math
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import Param

Line = tuple[tuple[float, float], ...]
"""The points (x, y) of an outline or a stroke, in fractions of the frame from its left upper corner."""

MOST_POINTS: Final = 4096


class PointsParam(Param):
    """Outlines or strokes as text, `0.1/0.2 0.3/0.4; 0.5/0.5 0.6/0.5`; not in WGSL (see `GivenTexture`)."""

    type = "points"
    editor = "text"
    longest = MOST_POINTS * 16

    @property
    def expects(self) -> Text:
        return sentence(
            "at most {most} points such as 0.25/0.75 with spaces between them, and a ; between lines",
            most=MOST_POINTS,
        )

    def convert(self, value: Any) -> str:
        """Return the text in the usual spelling; raise TypeError or ValueError if it is invalid."""
        if not isinstance(value, str):
            raise TypeError
        if len(value) > self.longest:
            raise ValueError
        return points_text(lines_of(value))

    @property
    def fallback(self) -> str:
        """No point."""
        return ""


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text; raise ValueError if it is invalid or has more than MOST_POINTS points."""
    lines = tuple(tuple(_point(word) for word in part.split()) for part in text.split(";"))
    if sum(map(len, lines)) > MOST_POINTS:
        raise ValueError
    return tuple(line for line in lines if line)


def points_text(lines: tuple[Line, ...]) -> str:
    """Return lines as text, rounded to 1/10,000 of the frame."""
    return "; ".join(" ".join(f"{round(x, 4):g}/{round(y, 4):g}" for x, y in line) for line in lines)


def _point(word: str) -> tuple[float, float]:
    x, y = (float(number) for number in word.split("/"))
    # A stroke may leave the frame, but not so far that the GPU's numbers are too coarse.
    if not (math.isfinite(x) and math.isfinite(y) and -2 <= x <= 3 and -2 <= y <= 3):
        raise ValueError
    return x, y


TYPE: Final = PointsParam
