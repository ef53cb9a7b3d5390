"""Events of zones and lines: conditions and actions, which outputs/events/ performs; occurrences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from desktop.base.fields import Value
from desktop.base.wording import Text, sentence
from desktop.vision.tasks.shapes import Extents, Position

When = Literal["enters", "leaves", "crosses", "stays", "above"]
Direction = Literal["both", "forward", "backward"]
State = Literal["on", "off", "awaits consent"]

WHENS: Final[tuple[When, ...]] = ("enters", "leaves", "crosses", "stays", "above")
DIRECTIONS: Final[tuple[Direction, ...]] = ("both", "forward", "backward")
OF_LINES: Final[frozenset[When]] = frozenset({"crosses"})
"""Events of lines; all others are of zones."""
MOST_EVENTS: Final = 64
MOST_ACTIONS: Final = 16


@dataclass(frozen=True)
class ActionSpec:
    """Action of an event: the name of a file of outputs/events/, and values of its fields."""

    kind: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class EventSpec:
    """Condition and actions of an event.

    Attributes:
        zone: the name of its zone or line.
        when: an object enters or leaves the zone, crosses the line, stays longer than `seconds`, or more than
            `above` are in the zone.
        direction: of the crossings that count.
        classes: only these count; all that the zone counts if empty.
        state: whether its actions are performed. Those of an untrusted file, which must not call addresses by
            itself, await the user's consent.
    """

    name: str
    zone: str
    when: When = "enters"
    direction: Direction = "both"
    seconds: float = 10.0
    above: int = 5
    classes: tuple[str, ...] = ()
    actions: tuple[ActionSpec, ...] = ()
    state: State = "on"

    @property
    def enabled(self) -> bool:
        """Its actions are performed."""
        return self.state == "on"

    def permitted(self) -> EventSpec:
        """Return it with the user's consent to what its file does; one that is off stays off."""
        return replace(self, state="on") if self.state == "awaits consent" else self


@dataclass(frozen=True)
class Occurrence:
    """An occurrence of an event. An object's attributes are None ('' for `label`) if it concerns several.

    Attributes:
        zone: the name of its zone or line.
        pts: presentation time of its frame, in seconds.
        at: the object's position, in fractions of the frame.
        score: the object's last score; None also if it has none.
        box: the object's last left, top, right, bottom, in fractions of the frame.
        direction: of the line's crossing, '' for zones.
        seconds: time that the object has been, or was, in the zone.
        count: number of objects in the zone; None if it concerns one.
    """

    event: str
    zone: str
    when: When
    pts: float
    label: str = ""
    identity: int | None = None
    at: Position | None = None
    direction: Literal["", "forward", "backward"] = ""
    seconds: float | None = None
    count: int | None = None
    score: float | None = None
    box: Extents | None = None

    def json(self) -> dict[str, Any]:
        """Return JSON values; every occurrence has all keys, null if they do not apply."""
        return {
            "event": self.event,
            "zone": self.zone,
            "when": self.when,
            "pts": round(self.pts, 4),
            "class": self.label or None,
            "identity": self.identity,
            "x": None if self.at is None else round(self.at[0], 5),
            "y": None if self.at is None else round(self.at[1], 5),
            "direction": self.direction or None,
            "seconds": None if self.seconds is None else round(self.seconds, 3),
            "count": self.count,
            "score": None if self.score is None else round(self.score, 4),
            "box": None if self.box is None else [round(edge, 5) for edge in self.box],
        }

    def text(self) -> Text:
        """Return it as one sentence."""
        thing = self.label if self.identity is None else f"{self.label} {self.identity}"
        told = {"event": self.event, "zone": self.zone, "thing": thing}
        if self.when == "above":
            return sentence("{event}: {count} in {zone}", event=self.event, zone=self.zone, count=self.count)
        if self.when == "stays":
            return sentence(
                "{event}: {thing} has been in {zone} for {seconds:.0f} s", **told, seconds=self.seconds
            )
        if self.when == "enters":
            return sentence("{event}: {thing} enters {zone}", **told)
        if self.when == "leaves":
            return sentence("{event}: {thing} leaves {zone}", **told)
        if self.direction == "forward":
            return sentence("{event}: {thing} crosses {zone} forward", **told)
        return sentence("{event}: {thing} crosses {zone} backward", **told)
