"""What zones and lines have counted: plain values, which panel, overlay, tables and events read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ClassCounts:
    """What was counted of one class.

    Attributes:
        label: the class's name.
        inside, entered, left: of a zone; see `ZoneCounts`.
        seconds: how long things of it were in the zone, added up.
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
    """What a zone has counted. `entered` less `left` is `inside` where things are followed; else there is only `inside`.

    Attributes:
        name: the zone's.
        inside: how many things are in it now.
        entered: how many came in, those too that were first seen in it.
        left: how many went out, or were no longer to be seen.
        seconds: how long things were in it, added up.
        longest: how long the one has been there that has been longest, of those that are inside; 0 for none.
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
        """How long one was in it on average, in seconds."""
        return self.seconds / self.entered if self.entered else 0.0

    def json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
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
    """How many things crossed a line.

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
        """Return it as JSON takes it."""
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
    """What is being counted of one class; `value` gives what there is."""

    entered: int = 0
    left: int = 0
    seconds: float = 0.0
    forward: int = 0
    backward: int = 0

    def value(self, label: str, inside: int, seconds: float) -> ClassCounts:
        """Return it with those that are inside, and the time that they have been there."""
        return ClassCounts(
            label, inside, self.entered, self.left, self.seconds + seconds, self.forward, self.backward
        )
