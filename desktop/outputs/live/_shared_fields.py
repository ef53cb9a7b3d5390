"""Fields shared by several outputs: the name under which other programs find the frame, its size and rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop.base.errors import ExportError
from desktop.base.fields import Line, Selection, Value
from desktop.base.wording import sentence
from desktop.outputs.live.output import PictureFormat

_AS_SHOWN: Final = sentence("as shown")
# A frame that is early by this fraction of an interval is not dropped: screens and sources are not exact.
_EARLY: Final = 0.25
_NAME: Final = "Lightloom"
# Spout copies a name into 256 bytes and ends the program if it is longer; a character has four at most.
_LONGEST_NAME: Final = 60

NAME: Final = Line(
    name="name",
    label=sentence("Name"),
    help=sentence("Name under which other programs list the camera."),
    default=_NAME,
)
SIZE: Final = Selection(
    name="size",
    label=sentence("Size"),
    help=sentence("Frames of another aspect ratio get black borders; they are never stretched."),
    default=_AS_SHOWN,
    choices=(_AS_SHOWN, "640x360", "1280x720", "1920x1080"),
)
RATE: Final = Selection(
    name="rate",
    label=sentence("Frames per second"),
    help=sentence("At most so many; a slower source is not made faster."),
    default=_AS_SHOWN,
    choices=(_AS_SHOWN, "15", "24", "25", "30", "50", "60"),
)


class Limit:
    """Drops frames to limit them to `rate` per second; 0 for no limit."""

    def __init__(self, rate: float = 0.0) -> None:
        self._rate, self._due = rate, 0.0

    @classmethod
    def of(cls, values: Mapping[str, Value], pictures: PictureFormat) -> Limit:
        """Return the requested limit; none if it equals the source's rate, whose jitter would drop frames."""
        rate = rate_of(values)
        return cls(rate if rate < pictures.rate * 0.99 else 0.0)

    def takes(self, at: float) -> bool:
        """Return whether to keep a frame that was shown `at`; called once for each, in order."""
        if not self._rate:
            return True
        apart = 1.0 / self._rate
        if at < self._due - _EARLY * apart:
            return False
        # A late frame does not delay later ones, unless it is later than the next one.
        self._due = (self._due if at < self._due + apart else at) + apart
        return True


def name_of(values: Mapping[str, Value]) -> str:
    """Return the requested name; ExportError if it is too long."""
    name = str(values["name"]).strip() or _NAME
    if len(name) > _LONGEST_NAME:
        raise ExportError(
            sentence(
                "The name has {length} letters; give one of {most} at most.",
                length=len(name),
                most=_LONGEST_NAME,
            )
        )
    return name


def size_of(values: Mapping[str, Value], pictures: PictureFormat) -> tuple[int, int]:
    """Return the requested (width, height); even, because of chroma subsampling."""
    if values["size"] == _AS_SHOWN:
        width, height = pictures.width, pictures.height
    else:
        width, height = (int(side) for side in str(values["size"]).split("x"))
    return max(2, width - width % 2), max(2, height - height % 2)


def rate_of(values: Mapping[str, Value]) -> float:
    """Return the requested frames per second, 0.0 for as many as are shown."""
    return 0.0 if values["rate"] == _AS_SHOWN else float(values["rate"])


def foresee(values: Mapping[str, Value], pictures: PictureFormat) -> tuple[str, ...]:
    """Return sentences about how the output differs from what is shown."""
    width, height = size_of(values, pictures)
    notes: list[str] = []
    if (width, height) != (pictures.width, pictures.height):
        told = {"width": width, "height": height}
        notes.append(
            sentence("Frames are scaled to {width} x {height}.", **told)
            if abs(width * pictures.height - height * pictures.width) <= 2 * max(width, height)
            else sentence("Frames are scaled to {width} x {height}, with black borders.", **told)
        )
    rate = rate_of(values)
    if rate and rate < pictures.rate * 0.99:
        notes.append(
            sentence(
                "Of {shown} frames per second it gets {rate}.", shown=f"{pictures.rate:g}", rate=f"{rate:g}"
            )
        )
    return tuple(notes)
