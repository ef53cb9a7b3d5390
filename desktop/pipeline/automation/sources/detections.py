"""Automation by detections: number of objects, highest score, position or size of one, events of zones."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, Final

from desktop.base.fields import Integer, Line, Names, Number, Selection
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import AutomationSource, Moment
from desktop.vision.tasks.shapes import Extents, Shape, bounds, identity_of, objects_in
from desktop.vision.tracking.counts import ZoneCounts
from desktop.vision.tracking.scene import TrackedResult

PLACES: Final = ("x", "y", "size")
"""Measures of one object."""


def _is_of(shape: Shape, classes: Collection[str]) -> bool:
    names = {name.casefold() for name in classes}
    known = shape.label.casefold()
    # Secondary labels follow the class ('dog: boxer').
    return not names or known in names or known.partition(": ")[0] in names


def count_objects(tracked: TrackedResult, classes: Collection[str] = ()) -> int:
    """Return the number of objects of a result that are of one of the classes, without these of all."""
    return len(objects_in(shape for shape in tracked.shapes if _is_of(shape, classes)))


def _count(tracked: TrackedResult, values: Mapping[str, Any]) -> float | None:
    if not values["zone"]:
        return count_objects(tracked, values["classes"]) / values["most"]
    zones = (c for c in tracked.counts if isinstance(c, ZoneCounts) and c.name == values["zone"])
    zone = next(zones, None)
    if zone is None:
        return None
    if not values["classes"]:
        return zone.inside / values["most"]
    names = {name.casefold() for name in values["classes"]}
    return sum(each.inside for each in zone.classes if each.label.casefold() in names) / values["most"]


def _score(tracked: TrackedResult, values: Mapping[str, Any]) -> float:
    chosen = (shape for shape in tracked.shapes if _is_of(shape, values["classes"]))
    scores = (getattr(shape, "score", None) or getattr(shape, "value", None) or 0.0 for shape in chosen)
    return max(scores, default=0.0)


def _place(tracked: TrackedResult, values: Mapping[str, Any]) -> float | None:
    """Return where the object with the identity is, or else the largest of the classes."""
    boxes: list[Extents] = []
    for shape in (*tracked.shapes, *tracked.expected):
        box = bounds(shape)
        has_number = values["identity"] in (0, identity_of(shape))
        if (
            box is not None
            and all(map(math.isfinite, box))
            and has_number
            and _is_of(shape, values["classes"])
        ):
            boxes.append(box)
    if not boxes:
        return None
    left, top, right, bottom = max(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
    if values["measure"] == "size":
        return max(right - left, bottom - top)
    return 0.5 * (left + right) if values["measure"] == "x" else 0.5 * (top + bottom)


def _event(moment: Moment, values: Mapping[str, Any]) -> float:
    times = [time for name, time in moment.events.items() if values["event"] in ("", name)]
    past = [moment.pts - time for time in times if time <= moment.pts]
    return float(2.0 ** (-min(past) / values["release"])) if past else 0.0


def _at(values: Mapping[str, Any], moment: Moment) -> float | None:
    measure, tracked = values["measure"], moment.tracked
    if measure == "event":
        return _event(moment, values)
    if tracked is None:
        return None
    if measure == "count":
        found = _count(tracked, values)
    else:
        found = _score(tracked, values) if measure == "score" else _place(tracked, values)
    return None if found is None else min(1.0, max(0.0, found))


SOURCE: Final = AutomationSource(
    id="detections",
    title=sentence("Detections"),
    help=sentence("Follows what the analysis network finds."),
    order=40,
    fields=(
        Selection(
            "measure",
            "count",
            titles={
                "count": sentence("number of objects"),
                "score": sentence("highest score"),
                "x": sentence("position across"),
                "y": sentence("position down"),
                "size": sentence("size"),
                "event": sentence("time since an event"),
            },
            label=sentence("Measure"),
            help=sentence(
                "Positions and sizes are shares of the frame, of the object with the number or else of the "
                "largest one."
            ),
        ),
        Names(
            "classes",
            (),
            label=sentence("Classes"),
            help=sentence("Names of classes with commas between them; empty for all"),
            when=(("measure", ("count", "score", *PLACES)),),
        ),
        Line(
            "zone",
            "",
            label=sentence("Zone"),
            help=sentence("Name of the zone that the objects are in; empty for the whole frame."),
            when=(("measure", ("count",)),),
        ),
        Integer(
            "most",
            5,
            1,
            1000,
            label=sentence("Greatest number"),
            help=sentence("The number of objects that gives the greatest value."),
            when=(("measure", ("count",)),),
        ),
        Integer(
            "identity",
            0,
            0,
            1_000_000,
            label=sentence("Number"),
            help=sentence("The number that tracking has given the object; 0 for the largest object."),
            when=(("measure", PLACES),),
        ),
        Line(
            "event",
            "",
            label=sentence("Event"),
            help=sentence("Name of the event of a zone; empty for any."),
            when=(("measure", ("event",)),),
        ),
        Number(
            "release",
            0.5,
            0.01,
            60.0,
            step=0.1,
            unit="s",
            label=sentence("Release"),
            help=sentence("Time in which it falls by half after the event."),
            when=(("measure", ("event",)),),
        ),
    ),
    at=_at,
    needs=frozenset({"results"}),
)
