"""The shapes that parts of masks refer to: detected and tracked objects, zones, drawn lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from desktop.pipeline.filters.param import Values, number_in
from desktop.pipeline.filters.params.points import lines_of
from desktop.pipeline.masks.shapes import MaskShape, ObjectArea, Outline, Stroke
from desktop.vision.tasks.shapes import Extents, Label, Line, Mask, Shape, bounds, identity_of
from desktop.vision.tracking.redaction_areas import has_unplaced_labels
from desktop.vision.tracking.scene import TrackedResult
from desktop.vision.tracking.zones import AnyZone, ZoneSpec

_ROUND: Final = frozenset({"face", "head"})
# Greatest age of a result in seconds, and the stricter limit where something must be hidden.
PATIENCE: Final = 1.0
_HIDING_PATIENCE: Final = 0.3
# Boxes that must be hidden are enlarged on each side by a share of their size, and by a share of the frame for
# each second of the result's age.
_HIDING_MARGIN: Final = 0.15
_HIDING_SPEED: Final = 1.0


@dataclass(frozen=True)
class MaskScene:
    """The results, tracks and zones that the masks of a frame refer to.

    Attributes:
        pts: presentation time of the frame, in seconds.
        tracked: the newest result of the analysis network; None without one.
        expected_at: where tracked objects are expected at a time, by identity, in fractions of the frame.
        is_exact: only a result of this very frame counts (batch work); else one of up to PATIENCE seconds before.
    """

    pts: float = 0.0
    tracked: TrackedResult | None = None
    expected_at: Callable[[float], Mapping[int, Extents]] = lambda _: {}
    zones: tuple[AnyZone, ...] = ()
    is_exact: bool = False

    def result(self, *, hides: bool) -> TrackedResult | None:
        """Return the result, if it holds for the frame; for less time where something must be hidden."""
        if self.tracked is None:
            return None
        age = self.pts - self.tracked.pts
        patience = _HIDING_PATIENCE if hides else PATIENCE
        holds = age == 0.0 if self.is_exact else 0.0 <= age <= patience
        return self.tracked if holds else None

    @property
    def lag_s(self) -> float:
        """Seconds by which the result is older than the frame; 0 without one."""
        return max(0.0, self.pts - self.tracked.pts) if self.tracked is not None else 0.0

    @cached_property
    def places(self) -> Mapping[int, Extents]:
        """Predicted boxes of tracked objects by identity, if the frame is newer than the result; else empty."""
        return self.expected_at(self.pts) if self.lag_s > 0 else {}

    def place_of(self, identity: int, *, hides: bool) -> Extents | None:
        """Return where a tracked object is in the frame, in fractions; None if that is not known."""
        tracked = self.result(hides=hides)
        if hides and self.lag_s > 0:
            return None
        if tracked is None:
            return None
        shapes = (*tracked.shapes, *tracked.expected)
        boxes = [bounds(shape) for shape in shapes if identity_of(shape) == identity]
        found = [box for box in boxes if box is not None and all(map(math.isfinite, box))]
        # What is expected is larger by its uncertainty; only its center is used.
        return _moved(found[0], found[0], self.places.get(identity, found[0])) if found else None


Hidden = Literal["nothing", "covered", "rest"]
"""The side of a mask's shapes that must stay hidden where they are uncertain: neither, inside, or outside."""

FindShapes = Callable[[Values, MaskScene, Hidden], "tuple[MaskShape, ...] | None"]
"""(checked values, scene, what must be hidden) -> shapes; None if they are not known for the frame."""


def _detections(values: Values, scene: MaskScene, hidden: Hidden) -> tuple[MaskShape, ...] | None:
    names = {name.strip().casefold() for name in str(values["classes"]).split(",")} - {""}
    least = number_in(values, "score")

    def is_chosen(shape: Shape) -> bool:
        score = getattr(shape, "score", None)
        known = shape.label.casefold()
        # Secondary labels follow the class ('dog: boxer').
        named = not names or known in names or known.partition(": ")[0] in names
        return named and (score is None or score >= least)

    return _objects(values, scene, is_chosen, hidden)


def _track(values: Values, scene: MaskScene, hidden: Hidden) -> tuple[MaskShape, ...] | None:
    return _objects(values, scene, lambda shape: identity_of(shape) == values["identity"], hidden)


def _objects(
    values: Values, scene: MaskScene, is_chosen: Callable[[Shape], bool], hidden: Hidden
) -> tuple[MaskShape, ...] | None:
    hides = hidden != "nothing"
    tracked = scene.result(hides=hides)
    if tracked is None or (hidden == "rest" and scene.lag_s > 0):
        return None
    if hides and (tracked.result.has_nan or has_unplaced_labels(tracked.shapes)):
        return None
    fits = values["outline"] == "fitting"
    found: list[MaskShape] = []
    by_object: dict[object, list[Shape]] = {}
    # What is only expected may not be there: it is hidden, and nothing is shown for it.
    shapes = tracked.shapes if hidden == "rest" else (*tracked.shapes, *tracked.expected)
    for number, shape in enumerate(shapes):
        if not isinstance(shape, Label | Line):
            thing = getattr(shape, "thing", None)
            by_object.setdefault(("alone", number) if thing is None else thing, []).append(shape)
    for parts in by_object.values():
        if any(is_chosen(part) for part in parts):
            area = _area(parts, scene, hidden, fits=fits)
            if area is None and hides:
                return None  # its position is unknown, so nothing can safely be left uncovered
            found += [] if area is None else [area]
    return tuple(found)


def _area(parts: list[Shape], scene: MaskScene, hidden: Hidden, *, fits: bool) -> ObjectArea | None:
    mask = next((part for part in parts if isinstance(part, Mask)), None)
    if mask is not None and mask.is_class:
        # Its pixels belong to many objects, of which none is tracked.
        if hidden != "nothing" and scene.lag_s > 0:
            return None
        return ObjectArea((mask.left, mask.top, mask.right, mask.bottom), mask=mask)
    boxes = [extents for part in parts if (extents := bounds(part)) and all(map(math.isfinite, extents))]
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    extents = (min(lefts), min(tops), max(rights), max(bottoms))
    identity = next((identity for part in parts if (identity := identity_of(part)) is not None), None)
    moved = scene.places.get(identity, extents) if identity is not None else extents
    if hidden == "covered":
        return ObjectArea(_with_margin(_hull(extents, moved), scene.lag_s))
    if mask is not None and fits:
        # The mask moves with the center of the box: its own size is that of the frame it was found in.
        return ObjectArea(_moved((mask.left, mask.top, mask.right, mask.bottom), extents, moved), mask=mask)
    is_round = fits and any(part.label.casefold() in _ROUND for part in parts)
    return ObjectArea(_moved(extents, extents, moved), is_round)


def _hull(a: Extents, b: Extents) -> Extents:
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


def _with_margin(extents: Extents, lag_s: float) -> Extents:
    left, top, right, bottom = extents
    later = _HIDING_SPEED * lag_s
    across, down = _HIDING_MARGIN * (right - left) + later, _HIDING_MARGIN * (bottom - top) + later
    return (left - across, top - down, right + across, bottom + down)


def _moved(extents: Extents, before: Extents, after: Extents) -> Extents:
    """Return extents translated by the displacement of another box's center."""
    x = 0.5 * (after[0] + after[2] - before[0] - before[2])
    y = 0.5 * (after[1] + after[3] - before[1] - before[3])
    return (extents[0] + x, extents[1] + y, extents[2] + x, extents[3] + y)


def _zone(values: Values, scene: MaskScene, hidden: Hidden) -> tuple[MaskShape, ...] | None:
    name = values["zone"]
    zones = [zone for zone in scene.zones if isinstance(zone, ZoneSpec) and name in ("", zone.name)]
    return tuple(Outline(zone.points) for zone in zones) or None


def _outline(values: Values, scene: MaskScene, hidden: Hidden) -> tuple[MaskShape, ...]:
    return tuple(Outline(line) for line in lines_of(str(values["points"])) if len(line) >= 3)


def _brush(values: Values, scene: MaskScene, hidden: Hidden) -> tuple[MaskShape, ...]:
    width = 0.01 * number_in(values, "width")
    return tuple(Stroke(line, width) for line in lines_of(str(values["strokes"])))


SHAPE_SOURCES: Final[Mapping[str, FindShapes]] = {
    "detections": _detections,
    "track": _track,
    "zone": _zone,
    "outline": _outline,
    "brush": _brush,
}
"""Functions that find the shapes, by `GivenTexture.source`."""

NEEDS_RESULTS: Final = frozenset({"detections", "track"})
"""Sources that need a result of the analysis network."""
