"""Counts of zones and lines: plain values, which panel, overlay, tables and events read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ClassCounts:
    """Counts of one class.

    Attributes:
        label: the class's name.
        inside, entered, left: of a zone; see `ZoneCounts`.
        seconds: total time of its objects in the zone.
        forward, backward: of a line; see `LineCounts`.
    """

    label: str
    inside: int = 0
    entered: int = 0
    left: int = 0
    seconds: float = 0.0
    forward: int = 0
    backward: int = 0


@dataclass(frozen=True)
class ZoneCounts:
    """Counts of a zone. With tracking, `entered` less `left` is `inside`; without, there is only `inside`.

    Attributes:
        inside: number of objects in it now.
        entered: number that entered, including those first seen in it.
        left: number that left, or were no longer seen.
        seconds: total time of objects in it.
        longest: longest time of an object that is inside now; 0 for none.
        classes: the same for each class, those with most first.
    """

    name: str
    inside: int = 0
    entered: int = 0
    left: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    classes: tuple[ClassCounts, ...] = ()

    @property
    def mean_stay(self) -> float:
        """Mean time of an object in the zone, in seconds."""
        return self.seconds / self.entered if self.entered else 0.0

    def json(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        whole = {"inside": self.inside, "entered": self.entered, "left": self.left}
        times = {"seconds": round(self.seconds, 3), "longest": round(self.longest, 3)}
        classes = {
            each.label: {
                "inside": each.inside,
                "entered": each.entered,
                "left": each.left,
                "seconds": round(each.seconds, 3),
            }
            for each in self.classes
        }
        return {"zone": self.name, "kind": "polygon", **whole, **times, "classes": classes}


@dataclass(frozen=True)
class LineCounts:
    """Numbers of objects that crossed a line.

    Attributes:
        name: the line's.
        forward, backward: crossings each way; see `LineSpec`.
        classes: the same for each class, those with most first.
    """

    name: str
    forward: int = 0
    backward: int = 0
    classes: tuple[ClassCounts, ...] = ()

    def json(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        classes = {each.label: {"forward": each.forward, "backward": each.backward} for each in self.classes}
        return {
            "zone": self.name,
            "kind": "line",
            "forward": self.forward,
            "backward": self.backward,
            "classes": classes,
        }


Counts = ZoneCounts | LineCounts


@dataclass
class Tally:
    """Running counts of one class; `value` returns a snapshot."""

    entered: int = 0
    left: int = 0
    seconds: float = 0.0
    forward: int = 0
    backward: int = 0

    def value(self, label: str, inside: int, seconds: float) -> ClassCounts:
        """Return the counts with those objects inside, and their time there."""
        return ClassCounts(
            label, inside, self.entered, self.left, self.seconds + seconds, self.forward, self.backward
        )
