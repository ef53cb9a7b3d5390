"""Count objects in zones and across lines, and detect events; rules: docs/zones.md.

- An object is at its anchor. Undetected, it stays there for `PATIENCE_S`; then it has left its zones.
- It leaves a zone when outside by more than its margin, a tenth of the smaller side of its box.
- It crosses a line when its straight path between two positions farther than the margin leads over it; so
  jitter crosses nothing, and an object counts again only after it was clear on the first side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from desktop.vision.tasks.shapes import Box, Extents, Position, Shape, bounds
from desktop.vision.tracking.counts import Counts, LineCounts, Tally, ZoneCounts
from desktop.vision.tracking.events import EventSpec, Occurrence, When
from desktop.vision.tracking.heat_map import HeatImage, HeatMap
from desktop.vision.tracking.zones import (
    Anchor,
    AnyZone,
    LineSpec,
    Places,
    ZoneSpec,
    anchor_of,
    beyond,
    distance,
    in_heights,
    inside,
    passes,
)

PATIENCE_S: Final = 2.0
"""Seconds for which an object that is not detected counts as unmoved."""
_LONGEST_WAY_S: Final = 5.0
# The margin: a fraction of the smaller side of an object's box, and at least of the frame's height.
_MARGIN: Final = 0.1
_LEAST_MARGIN: Final = 0.002
# Seconds for which the count must be low enough before an event occurs again.
_CALM_S: Final = 1.0
_HEAT_EVERY_S: Final = 0.5


@dataclass(frozen=True)
class SceneObject:
    """An object of a frame: its class, identity (None if it is not tracked), position and score."""

    label: str
    identity: int | None
    extents: Extents
    score: float | None = None


def scene_objects(shapes: Iterable[Shape]) -> list[SceneObject]:
    """Return the objects of shapes; of several shapes of one object, the box has its position."""
    found: list[SceneObject] = []
    at: dict[int, int] = {}
    for shape in shapes:
        extents = bounds(shape)
        if extents is None:
            continue
        thing = SceneObject(
            shape.label, getattr(shape, "identity", None), extents, getattr(shape, "score", None)
        )
        number = getattr(shape, "thing", None)
        if number is None or number not in at:
            if number is not None:
                at[number] = len(found)
            found.append(thing)
        elif isinstance(shape, Box):
            found[at[number]] = thing
    return found


@dataclass(frozen=True)
class _View:
    """The objects of one frame as arrays: anchor positions and margins, in heights of the frame."""

    things: list[SceneObject]
    positions: dict[Anchor, list[Position]]
    places: dict[Anchor, Places]
    margins: list[float]
    pts: float
    aspect: float


@dataclass(frozen=True)
class _Change:
    """An object enters, leaves or crosses. `seconds` is the time in the zone of one that leaves."""

    zone: str
    when: When
    thing: SceneObject
    at: Position
    direction: Literal["", "forward", "backward"] = ""
    seconds: float | None = None


class ZoneWatch:
    """Counts over the frames of one source, in order. For one thread."""

    def __init__(self) -> None:
        self._watches: dict[str, _ZoneWatch | _LineWatch] = {}
        self._events: dict[str, _EventWatch] = {}
        self._last: float | None = None
        self._is_first = True

    def use(self, zones: Sequence[AnyZone], events: Sequence[EventSpec]) -> None:
        """Replace zones and events; those with the same name (and kind) keep their counts and states."""
        old, self._watches = self._watches, {}
        for zone in zones:
            kind = _LineWatch if isinstance(zone, LineSpec) else _ZoneWatch
            kept = old.get(zone.name)
            watch = kept if isinstance(kept, kind) else kind()
            watch.spec = zone
            self._watches[zone.name] = watch
        self._events = {event.name: self._events.get(event.name, _EventWatch()) for event in events}
        for event in events:
            self._events[event.name].spec = event

    def see(
        self, shapes: Iterable[Shape], pts: float, size: tuple[int, int], *, followed: bool
    ) -> tuple[tuple[Counts, ...], tuple[Occurrence, ...]]:
        """Count one frame; return each zone's counts so far, and the occurrences in this frame.

        Args:
            shapes, size: its shapes, in fractions; its (width, height) in pixels.
            pts: its presentation time in seconds; an earlier one is a cut, an equal one the same frame.
            followed: objects get identities; from the second frame on, those without one do not count.
        """
        if self._last is not None and pts < self._last:
            self.cut()
        # An object has its identity from the second frame on, at the soonest; of a photograph there is none.
        self._is_first = self._last is None or (self._is_first and pts == self._last)
        self._last = pts
        followed = followed and not self._is_first
        anchors = {watch.spec.anchor for watch in self._watches.values()}
        view = _view(scene_objects(shapes), pts, size[0] / max(1, size[1]), anchors, followed=followed)
        changes = [change for watch in self._watches.values() for change in watch.see(view)]
        occurrences = [
            occurrence
            for event in self._events.values()
            for occurrence in event.see(changes, self._watches.get(event.spec.zone), view)
        ]
        return self.counts(), tuple(occurrences)

    def counts(self) -> tuple[Counts, ...]:
        """Return the counts of each zone so far."""
        return tuple(watch.counts() for watch in self._watches.values())

    def cut(self) -> None:
        """Start anew with the next frame: all objects leave without events; counts stay."""
        for watch in self._watches.values():
            watch.cut()
        for event in self._events.values():
            event.cut()
        self._last = None

    def reset(self) -> None:
        """Reset the counts; objects inside count as just entered."""
        for watch in self._watches.values():
            watch.reset()


@dataclass(frozen=True)
class SceneState:
    """Zones, events and heat map for one frame; see `TrackedResult`."""

    counts: tuple[Counts, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    heat: HeatImage | None = None


class SceneWatch:
    """Zones, events and the heat map of a scene. For one thread."""

    def __init__(self) -> None:
        self._zones, self._map = ZoneWatch(), HeatMap()
        self._has_zones = self._has_map = False
        self._heat: HeatImage | None = None
        self._drawn: float | None = None

    def use(self, zones: Sequence[AnyZone], events: Sequence[EventSpec], *, heat_map: bool) -> None:
        """Replace the settings; see `ZoneWatch.use`. A heat map that is switched off and on starts again."""
        self._zones.use(zones, events)
        self._has_zones, self._has_map = bool(zones), heat_map
        if not heat_map:
            self._map.reset()
            self._heat = self._drawn = None

    def see(
        self, shapes: Sequence[Shape], pts: float, size: tuple[int, int], *, followed: bool
    ) -> SceneState:
        """Process a frame; see `ZoneWatch.see`."""
        counts: tuple[Counts, ...] = ()
        occurrences: tuple[Occurrence, ...] = ()
        if self._has_zones:
            counts, occurrences = self._zones.see(shapes, pts, size, followed=followed)
        if self._has_map:
            places = [anchor_of(thing.extents, "bottom") for thing in scene_objects(shapes)]
            self._map.add(places, pts, size[0] / max(1, size[1]))
            if self._drawn is None or abs(pts - self._drawn) >= _HEAT_EVERY_S:
                self._heat, self._drawn = self._map.image(), pts
        return SceneState(counts, occurrences, self._heat)

    def cut(self) -> None:
        """Note that the next frame does not follow the last one."""
        self._zones.cut()
        self._map.cut()

    def reset(self) -> None:
        """Reset all counts and the heat map."""
        self._zones.reset()
        self._map.reset()
        self._heat = self._drawn = None


def _view(
    things: list[SceneObject], pts: float, aspect: float, anchors: set[Anchor], *, followed: bool
) -> _View:
    if followed:
        things = [thing for thing in things if thing.identity is not None]
    boxes = np.array([thing.extents for thing in things], float).reshape(-1, 4)
    smaller = np.minimum((boxes[:, 2] - boxes[:, 0]) * aspect, boxes[:, 3] - boxes[:, 1])
    positions = {anchor: [anchor_of(thing.extents, anchor) for thing in things] for anchor in anchors}
    places = {anchor: in_heights(at, aspect) for anchor, at in positions.items()}
    margins = np.maximum(_LEAST_MARGIN, _MARGIN * smaller).tolist()
    return _View(things, positions, places, margins, pts, aspect)


def _is_counted(label: str, classes: Sequence[str]) -> bool:
    return not classes or label in classes


@dataclass
class _Visit:
    """An object in a zone. Its class stays that at entry, so that the figures by class are consistent."""

    thing: SceneObject
    at: Position
    since: float
    seen: float
    told: set[str] = field(default_factory=set)

    def see(self, thing: SceneObject, at: Position, pts: float) -> None:
        """Record that it is still there."""
        self.thing = replace(self.thing, extents=thing.extents, score=thing.score)
        self.at, self.seen = at, pts

    @property
    def seconds(self) -> float:
        return self.seen - self.since


class _ZoneWatch:
    spec: ZoneSpec

    def __init__(self) -> None:
        self.visits: dict[int, _Visit] = {}
        self._tallies: defaultdict[str, Tally] = defaultdict(Tally)
        # Untracked objects inside, by their classes.
        self._unknown: Counter[str] = Counter()

    def see(self, view: _View) -> list[_Change]:
        """Process a frame; return the objects that entered or left."""
        corners = in_heights(self.spec.points, view.aspect)
        places, positions = view.places[self.spec.anchor], view.positions[self.spec.anchor]
        away = distance(places, corners)
        within = inside(places, corners, away).tolist()
        clear = (away > np.array(view.margins)).tolist()
        self._unknown.clear()
        changes: list[_Change] = []
        for i, thing in enumerate(view.things):
            visit = self.visits.get(thing.identity) if thing.identity is not None else None
            if visit is not None:
                visit.see(thing, positions[i], view.pts)
                if clear[i] and not within[i]:
                    changes.append(self._leave(visit))
            elif within[i] and _is_counted(thing.label, self.spec.classes):
                changes += self._enter(thing, positions[i], view.pts)
        lost = [visit for visit in self.visits.values() if view.pts - visit.seen > PATIENCE_S]
        return changes + [self._leave(visit) for visit in lost]

    def _enter(self, thing: SceneObject, at: Position, pts: float) -> list[_Change]:
        if thing.identity is None:
            self._unknown[thing.label] += 1
            return []
        self.visits[thing.identity] = _Visit(thing, at, pts, pts)
        self._tallies[thing.label].entered += 1
        return [_Change(self.spec.name, "enters", thing, at)]

    def _leave(self, visit: _Visit) -> _Change:
        assert visit.thing.identity is not None
        del self.visits[visit.thing.identity]
        tally = self._tallies[visit.thing.label]
        tally.left += 1
        tally.seconds += visit.seconds
        return _Change(self.spec.name, "leaves", visit.thing, visit.at, seconds=visit.seconds)

    def cut(self) -> None:
        """Remove all objects."""
        for visit in list(self.visits.values()):
            self._leave(visit)
        self._unknown.clear()

    def reset(self) -> None:
        """Reset the counts."""
        self._tallies.clear()
        for visit in self.visits.values():
            visit.since = visit.seen
            self._tallies[visit.thing.label].entered += 1

    def number_of(self, classes: Sequence[str]) -> int:
        """Return the number of objects inside, of some classes or of all."""
        known = Counter(visit.thing.label for visit in self.visits.values())
        return sum(n for label, n in (known + self._unknown).items() if _is_counted(label, classes))

    def counts(self) -> ZoneCounts:
        """The counts so far."""
        here: defaultdict[str, list[float]] = defaultdict(list)
        for visit in self.visits.values():
            here[visit.thing.label].append(visit.seconds)
        classes = [
            self._tallies[label].value(label, len(here[label]) + self._unknown[label], sum(here[label]))
            for label in sorted(self._tallies.keys() | here.keys() | self._unknown.keys())
        ]
        classes.sort(key=lambda each: -max(each.entered, each.inside))
        return ZoneCounts(
            self.spec.name,
            sum(each.inside for each in classes),
            sum(each.entered for each in classes),
            sum(each.left for each in classes),
            sum(each.seconds for each in classes),
            max((visit.seconds for visit in self.visits.values()), default=0.0),
            tuple(classes),
        )


@dataclass
class _Way:
    """An object's position relative to a line.

    Attributes:
        right: it was clear to the right.
        over: it has gone over the line an odd number of times since.
        place: its last position, in heights of the frame.
    """

    right: bool
    over: bool
    place: Position
    seen: float


class _LineWatch:
    spec: LineSpec

    def __init__(self) -> None:
        self._ways: dict[int, _Way] = {}
        self._tallies: defaultdict[str, Tally] = defaultdict(Tally)

    def see(self, view: _View) -> list[_Change]:
        """Process a frame; return the objects that crossed."""
        ends = in_heights(self.spec.points, view.aspect)
        places, positions = view.places[self.spec.anchor], view.positions[self.spec.anchor]
        known = [self._ways.get(-1 if thing.identity is None else thing.identity) for thing in view.things]
        stops = list(map(tuple, places.tolist()))
        starts = [stop if way is None else way.place for stop, way in zip(stops, known, strict=True)]
        over = passes(np.array(starts, float).reshape(-1, 2), places, ends).tolist()
        far = beyond(places, ends).tolist()
        changes: list[_Change] = []
        for i, (thing, way) in enumerate(zip(view.things, known, strict=True)):
            if thing.identity is None or not _is_counted(thing.label, self.spec.classes):
                continue
            if way is None:
                self._ways[thing.identity] = _Way(far[i] >= 0, False, stops[i], view.pts)
                continue
            way.place, way.seen, way.over = stops[i], view.pts, way.over != over[i]
            if abs(far[i]) <= view.margins[i]:
                continue
            right = far[i] > 0
            if way.over and right != way.right:
                changes.append(self._crossed(thing, positions[i], right))
            way.right, way.over = right, False
        self._ways = {who: way for who, way in self._ways.items() if view.pts - way.seen <= _LONGEST_WAY_S}
        return changes

    def _crossed(self, thing: SceneObject, at: Position, right: bool) -> _Change:
        tally = self._tallies[thing.label]
        if right:
            tally.forward += 1
            return _Change(self.spec.name, "crosses", thing, at, "forward")
        tally.backward += 1
        return _Change(self.spec.name, "crosses", thing, at, "backward")

    def cut(self) -> None:
        """Drop all unfinished crossings."""
        self._ways.clear()

    def reset(self) -> None:
        """Reset the counts."""
        self._tallies.clear()

    def counts(self) -> LineCounts:
        """The counts so far."""
        classes = [self._tallies[label].value(label, 0, 0.0) for label in sorted(self._tallies)]
        classes.sort(key=lambda each: -(each.forward + each.backward))
        return LineCounts(
            self.spec.name,
            sum(each.forward for each in classes),
            sum(each.backward for each in classes),
            tuple(classes),
        )


class _EventWatch:
    spec: EventSpec

    def __init__(self) -> None:
        self._is_above = False
        # Since when there are no more of them than the event allows.
        self._below_since: float | None = None

    def see(
        self, changes: Sequence[_Change], watch: _ZoneWatch | _LineWatch | None, view: _View
    ) -> list[Occurrence]:
        """Return the occurrences in a frame."""
        if self.spec.when == "stays" and isinstance(watch, _ZoneWatch):
            return self._stays(watch, view.pts)
        if self.spec.when == "above" and isinstance(watch, _ZoneWatch):
            return self._above(watch, view.pts)
        return [self._occurrence(change, view.pts) for change in changes if self._is_about(change)]

    def _is_about(self, change: _Change) -> bool:
        spec = self.spec
        return (
            (change.zone, change.when) == (spec.zone, spec.when)
            and _is_counted(change.thing.label, spec.classes)
            and (spec.when != "crosses" or spec.direction in ("both", change.direction))
        )

    def _occurrence(self, change: _Change, pts: float) -> Occurrence:
        spec, thing = self.spec, change.thing
        return Occurrence(
            spec.name,
            spec.zone,
            spec.when,
            pts,
            thing.label,
            thing.identity,
            change.at,
            change.direction,
            change.seconds,
            score=thing.score,
            box=thing.extents,
        )

    def _stays(self, watch: _ZoneWatch, pts: float) -> list[Occurrence]:
        spec = self.spec
        found = [
            visit
            for visit in watch.visits.values()
            if visit.seconds > spec.seconds
            and spec.name not in visit.told
            and _is_counted(visit.thing.label, spec.classes)
        ]
        for visit in found:
            visit.told.add(spec.name)
        return [
            Occurrence(
                spec.name,
                spec.zone,
                "stays",
                pts,
                visit.thing.label,
                visit.thing.identity,
                visit.at,
                seconds=visit.seconds,
                score=visit.thing.score,
                box=visit.thing.extents,
            )
            for visit in found
        ]

    def _above(self, watch: _ZoneWatch, pts: float) -> list[Occurrence]:
        # Reported again only after a while below: without identities, one missed frame changes the number.
        count = watch.number_of(self.spec.classes)
        if count > self.spec.above:
            self._below_since = None
            if not self._is_above:
                self._is_above = True
                return [Occurrence(self.spec.name, self.spec.zone, "above", pts, count=count)]
        elif self._below_since is None:
            self._below_since = pts
        elif pts - self._below_since >= _CALM_S:
            self._is_above = False
        return []

    def cut(self) -> None:
        """Note that the next frame does not follow the last one."""
        self._is_above, self._below_since = False, None
