"""Texts with variables in braces, such as `{timecode}`, and what is painted (docs/layers.md lists them)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.pipeline.automation.sources.detections import count_objects
from desktop.vision.tasks.shapes import Label
from desktop.vision.tracking.counts import Counts, ZoneCounts

if TYPE_CHECKING:
    import numpy as np

    from desktop.vision.tracking.scene import TrackedResult

Align = Literal["left", "center", "right"]
Rgba = tuple[float, float, float, float]

LONGEST: Final = 400
_USUAL_RATE: Final = 25.0
# A variable, or a doubled brace, which stands for one; a single brace that is neither is a mistake.
_PIECE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True)
class TextMoment:
    """Values of the variables of texts for one frame.

    Attributes:
        pts: presentation time of the frame, in seconds.
        rate: frames a second of the source, 0.0 if it has none.
        index: number of the frame since the source was opened, for one without a rate.
        file: name of the source.
        tracked: the newest result of the analysis network that applies; None without one.
        counts: the last counts of the zones.
        now: the local time.
    """

    pts: float = 0.0
    rate: float = 0.0
    index: int = 0
    file: str = ""
    tracked: TrackedResult | None = None
    counts: tuple[Counts, ...] = ()
    now: datetime = datetime.min


@dataclass(frozen=True)
class PaintedText:
    """A text to paint.

    Attributes:
        text: with line breaks.
        size: height of a line, in pixels.
        color, background: R'G'B'A, 0 to 1.
        outline: width of the dark line around letters, in shares of the size.
        width: lines are broken to fit into these pixels.
    """

    text: str
    size: float
    color: Rgba
    background: Rgba
    outline: float
    align: Align
    width: int


PaintText: TypeAlias = "Callable[[PaintedText], np.ndarray]"
"""Paints a text: uint8 [height, width, 4], R'G'B' with straight alpha."""


# -- variables -----------------------------------------------------------------------------------------------


def _time(moment: TextMoment, _: str) -> str:
    seconds = max(0, math.floor(moment.pts + 1e-6))
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _frame_number(moment: TextMoment) -> int:
    # By the time, as a seek and a part of a video count from elsewhere.
    return max(0, round(moment.pts * moment.rate)) if moment.rate > 0.0 else moment.index


def _timecode(moment: TextMoment, _: str) -> str:
    # Frames are counted in the next whole rate, without dropping numbers (SMPTE 12M, non-drop).
    rate = moment.rate if moment.rate > 0.0 else _USUAL_RATE
    whole = max(1, math.ceil(rate - 1e-3))
    number = max(0, round(moment.pts * rate))
    seconds, frames = divmod(number, whole)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}:{frames:02}"


def _count(moment: TextMoment, name: str) -> str:
    return "0" if moment.tracked is None else str(count_objects(moment.tracked, (name,) if name else ()))


def _best(moment: TextMoment) -> tuple[str, float]:
    """Return the class with the highest score, and the score; ('', 0.0) without one."""
    scores = [
        (shape.label, shape.value if isinstance(shape, Label) else getattr(shape, "score", None) or 0.0)
        for shape in (moment.tracked.shapes if moment.tracked is not None else ())
        if shape.label
    ]
    return max(scores, key=lambda each: each[1], default=("", 0.0))


def _score(moment: TextMoment, _: str) -> str:
    name, score = _best(moment)
    return f"{score * 100:.0f} %" if name and math.isfinite(score) else ""


def _zone(moment: TextMoment, name: str) -> str:
    for counts in moment.counts:
        if counts.name == name:
            return str(counts.inside if isinstance(counts, ZoneCounts) else counts.forward + counts.backward)
    return "0" if moment.tracked is None else "?"  # before the first result no zone has counted


@dataclass(frozen=True)
class _Variable:
    """A variable: its text for a moment and what follows the colon; `argument` if something may or must."""

    text: Callable[[TextMoment, str], str]
    argument: Literal["none", "optional", "required"] = "none"
    needs_results: bool = False


_VARIABLES: Final[Mapping[str, _Variable]] = {
    "time": _Variable(_time),
    "timecode": _Variable(_timecode),
    "frame": _Variable(lambda moment, _: str(_frame_number(moment))),
    "file": _Variable(lambda moment, _: moment.file),
    "date": _Variable(lambda moment, _: f"{moment.now:%Y-%m-%d}"),
    "clock": _Variable(lambda moment, _: f"{moment.now:%H:%M:%S}"),
    "fps": _Variable(lambda moment, _: f"{moment.rate:.6g}" if moment.rate > 0.0 else ""),
    "count": _Variable(_count, "optional", needs_results=True),
    "class": _Variable(lambda moment, _: _best(moment)[0], needs_results=True),
    "score": _Variable(_score, needs_results=True),
    "zone": _Variable(_zone, "required", needs_results=True),
}
VARIABLES: Final = (
    *("time", "timecode", "frame", "file", "date", "clock", "fps", "count", "count:CLASS"),
    *("class", "score", "zone:NAME"),
)
"""The variables as they are written, in the order of lists."""


def _used(text: str) -> Iterator[tuple[_Variable, str]]:
    """Yield the variables of a text and what follows their colons; raise UsageError for an unknown one."""
    for found in _PIECE.finditer(text):
        if found[0] in ("{{", "}}"):
            continue
        name, colon, argument = (found[1] or "").partition(":")
        variable = _VARIABLES.get(name)
        if variable is None or found[1] is None:
            raise UsageError(
                sentence(
                    "'{name}' is no variable of a text; there are: {names}. A brace itself is written twice.",
                    name=found[0][:40],
                    names=", ".join(f"{{{each}}}" for each in VARIABLES),
                )
            )
        if (variable.argument == "none" and colon) or (variable.argument == "required" and not argument):
            raise UsageError(
                sentence(
                    "'{name}' is not how that variable of a text is written; there are: {names}.",
                    name=found[0][:40],
                    names=", ".join(f"{{{each}}}" for each in VARIABLES),
                )
            )
        yield variable, argument


def check_text(text: str) -> None:
    """Raise UsageError for a text that is too long, or has an unknown variable."""
    if len(text) > LONGEST:
        raise UsageError(
            sentence(
                "The text of a layer has {count} letters; give at most {most}.",
                count=len(text),
                most=LONGEST,
            )
        )
    for _ in _used(text):
        pass


def needs_results(text: str) -> bool:
    """Return True if a checked text tells what the analysis network finds."""
    return any(variable.needs_results for variable, _ in _used(text))


def zones_of(text: str) -> tuple[str, ...]:
    """Return the names of the zones that a checked text counts in."""
    return tuple(argument for variable, argument in _used(text) if variable is _VARIABLES["zone"])


def classes_of(text: str) -> tuple[str, ...]:
    """Return the names of the classes that a checked text counts."""
    counts = _VARIABLES["count"]
    return tuple(argument for variable, argument in _used(text) if variable is counts and argument)


def expanded(text: str, moment: TextMoment) -> str:
    """Return a checked text with the values of its variables; `\\n` in it begins a new line."""

    def value(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        name, _, argument = found[1].partition(":")
        return _VARIABLES[name].text(moment, argument)

    # Names of files and classes are others' texts: they neither break lines nor run on.
    lines = text.replace("\\n", "\n").split("\n")
    return "\n".join(_PIECE.sub(value, line).replace("\n", " ")[: 2 * LONGEST] for line in lines)
