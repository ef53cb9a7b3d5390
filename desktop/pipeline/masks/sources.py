"""The shapes that parts of masks refer to: detected and tracked objects, zones, drawn lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from desktop.pipeline.filters.param import Values
from desktop.pipeline.filters.params.points import lines_of
from desktop.pipeline.masks.shapes import MaskShape, ObjectArea, Outline, Stroke
from desktop.vision.tasks.shapes import Extents, Label, Line, Mask, Shape, bounds, identity_of
from desktop.vision.tracking.redaction_areas import has_unplaced_labels
from desktop.vision.tracking.scene import TrackedResult
from desktop.vision.tracking.zones import AnyZone, ZoneSpec

_ROUND: Final = frozenset({"face", "head"})
# Seconds after which an object is not where it was found last.
PATIENCE: Final = 1.0
# The same for an object that must be hidden, and how its area is enlarged: by a share of its size on each side,
# and for each second since the result by a share of the frame.
_HIDING_PATIENCE: Final = 0.3
_HIDING_MARGIN: Final = 0.15
_HIDING_SPEED: Final = 1.0


@dataclass(frozen=True)
class MaskScene:
    """What is known of a frame when its masks are made.

    Attributes:
        pts: presentation time of the frame, in seconds.
        tracked: the newest result of the analysis network; None without one.
        expected_at: where tracked objects are expected at a time, by identity, in fractions of the frame.
        is_exact: only the frame's own result counts (batch work); else one of the last moments.
    """

    pts: float = 0.0
    tracked: TrackedResult | None = None
    expected_at: Callable[[float], Mapping[int, Extents]] = lambda _: {}
    zones: tuple[AnyZone, ...] = ()
    is_exact: bool = False

    def result(self, hides: bool) -> TrackedResult | None:
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
        """Where tracked objects may be in a frame that is newer than the result; empty for the result's own."""
        return self.expected_at(self.pts) if self.lag_s > 0 else {}

    def place_of(self, identity: int, hides: bool = False) -> Extents | None:
        """Return where a tracked object is in the frame, in fractions; None if that is not known."""
        tracked = self.result(hides)
        if tracked is None:
            return None
        shapes = (*tracked.shapes, *tracked.expected)
        boxes = [bounds(shape) for shape in shapes if identity_of(shape) == identity]
        found = [box for box in boxes if box is not None and all(map(math.isfinite, box))]
        # What is expected is larger by its uncertainty; only its center is used.
        return _moved(found[0], found[0], self.places.get(identity, found[0])) if found else None


FindShapes = Callable[[Values, MaskScene, bool], "tuple[MaskShape, ...] | None"]
"""(checked values, scene, must hide) -> shapes; None if they are not known for the frame."""


def _detections(values: Values, scene: MaskScene, hides: bool) -> tuple[MaskShape, ...] | None:
    names = {name.strip().casefold() for name in str(values["classes"]).split(",")} - {""}
    least = float(values["score"])  # type: ignore[arg-type]

    def is_chosen(shape: Shape) -> bool:
        score = getattr(shape, "score", None)
        known = shape.label.casefold()
        # Secondary labels follow the class ('dog: boxer').
        named = not names or known in names or known.partition(": ")[0] in names
        return named and (score is None or score >= least)

    return _objects(values, scene, is_chosen, hides)


def _track(values: Values, scene: MaskScene, hides: bool) -> tuple[MaskShape, ...] | None:
    return _objects(values, scene, lambda shape: identity_of(shape) == values["identity"], hides)


def _objects(
    values: Values, scene: MaskScene, is_chosen: Callable[[Shape], bool], hides: bool
) -> tuple[MaskShape, ...] | None:
    tracked = scene.result(hides)
    if tracked is None:
        return None
    if hides and (tracked.result.has_nan or has_unplaced_labels(tracked.shapes)):
        return None
    fits = values["outline"] == "fitting"
    found: list[MaskShape] = []
    together: dict[object, list[Shape]] = {}
    for number, shape in enumerate((*tracked.shapes, *tracked.expected)):
        if not isinstance(shape, Label | Line):
            thing = getattr(shape, "thing", None)
            together.setdefault(("alone", number) if thing is None else thing, []).append(shape)
    for parts in together.values():
        if any(is_chosen(part) for part in parts):
            area = _area(parts, scene, fits=fits, hides=hides)
            if area is None and hides:
                return None  # it is somewhere
            found += [] if area is None else [area]
    return tuple(found)


def _area(parts: list[Shape], scene: MaskScene, *, fits: bool, hides: bool) -> ObjectArea | None:
    mask = next((part for part in parts if isinstance(part, Mask)), None)
    if mask is not None and mask.is_class:
        # Its pixels belong to many objects, of which none is tracked.
        if hides and scene.lag_s > 0:
            return None
        return ObjectArea((mask.left, mask.top, mask.right, mask.bottom), mask=mask)
    boxes = [extents for part in parts if (extents := bounds(part)) and all(map(math.isfinite, extents))]
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    extents = (min(lefts), min(tops), max(rights), max(bottoms))
    identity = next((identity for part in parts if (identity := identity_of(part)) is not None), None)
    moved = scene.places.get(identity, extents) if identity is not None else extents
    if hides:
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
    """Return extents moved by the way of another box's center."""
    x = 0.5 * (after[0] + after[2] - before[0] - before[2])
    y = 0.5 * (after[1] + after[3] - before[1] - before[3])
    return (extents[0] + x, extents[1] + y, extents[2] + x, extents[3] + y)


def _zone(values: Values, scene: MaskScene, hides: bool) -> tuple[MaskShape, ...] | None:
    name = values["zone"]
    zones = [zone for zone in scene.zones if isinstance(zone, ZoneSpec) and name in ("", zone.name)]
    return tuple(Outline(zone.points) for zone in zones) or None


def _outline(values: Values, scene: MaskScene, hides: bool) -> tuple[MaskShape, ...]:
    return tuple(Outline(line) for line in lines_of(str(values["points"])) if len(line) >= 3)


def _brush(values: Values, scene: MaskScene, hides: bool) -> tuple[MaskShape, ...]:
    width = 0.01 * float(values["width"])  # type: ignore[arg-type]
    return tuple(Stroke(line, width) for line in lines_of(str(values["strokes"])))


SHAPE_SOURCES: Final[Mapping[str, FindShapes]] = {
    "detections": _detections,
    "track": _track,
    "zone": _zone,
    "outline": _outline,
    "brush": _brush,
}
"""What finds the shapes of a `GivenTexture.source`."""

NEEDS_RESULTS: Final = frozenset({"detections", "track"})
"""Sources that need a result of the analysis network."""
