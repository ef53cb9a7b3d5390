"""Counts of zones and lines: plain values, which panel, overlay, tables and events read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ClassCounts:
    """Counts of one class in a zone (see `ZoneCounts`; `seconds` in total) or at a line (`LineCounts`)."""

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

    Objects first seen in it have entered, those no longer seen have left. `seconds` is their total time,
    `longest` the longest of those inside now; classes with most come first.
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
    """Objects that crossed a line forward and backward (`LineSpec`); classes with most crossings first."""

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
