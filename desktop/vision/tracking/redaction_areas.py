"""Determine the areas of a frame to hide: around objects of some classes and their possible motion.

Its own tracker starts with the first box, as the scene's confirms an object only with a second result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from desktop.vision.tasks.shapes import Box, Extents, Label, Mask, Shape, bounds
from desktop.vision.tracking.anonymize import AnonymizeSpec
from desktop.vision.tracking.hidden_area import FULL_FRAME, MOST_AREAS, HiddenArea
from desktop.vision.tracking.track import FollowedShapes, TrackSpec

if TYPE_CHECKING:
    from desktop.vision.tasks.task import Size
    from desktop.vision.tracking.follower import Follower

_ROUND: Final = frozenset({"face", "head"})
# An ellipse around a box touches its corners.
_AROUND: Final = math.sqrt(2.0)
# In longer sides of the frame: at once, per second since then, and at most.
_CLASS_MARGIN: Final = 0.01
_CLASS_SPEED: Final = 0.5
_MOST_CLASS_MARGIN: Final = 0.25
# In frame sizes: an area beyond this covers no more of the frame, and the GPU may not represent it.
_FAR: Final = 1e4
# Least half side, in frame sizes: below any pixel, but not rounded to 0, which would leave no area.
_LEAST: Final = 1e-6
# Results may be this late regardless of `hold`: a little more than a slow network takes.
_LEAST_PATIENCE: Final = 0.5


@dataclass(frozen=True)
class _RedactedObject:
    """An object to hide: its place and its appearance. Without a place it may be anywhere."""

    extents: Extents | None
    is_round: bool = False
    mask: Mask | None = None


@dataclass
class _Known:
    """Knowledge since the last cut.

    Attributes:
        pts, size: of the last frame with a result, size in pixels.
        things: last detection of each identity.
        nameless: detections without a track: beyond the limit, or pixels of a class.
        found: the identities detected in that frame.
    """

    pts: float | None = None
    size: Size = (1, 1)
    things: dict[int, _RedactedObject] = field(default_factory=dict)
    nameless: tuple[_RedactedObject, ...] = ()
    found: frozenset[int] = frozenset()


class RedactionAreas:
    """Areas to hide over time, for one thread. `version` changes whenever `areas` may return others."""

    def __init__(self) -> None:
        self.spec: AnonymizeSpec | None = None
        self.version = 0
        self._known = _Known()
        self._follower: Follower | None = None

    def use(self, spec: AnonymizeSpec | None) -> None:
        """Change the settings, or stop. Other classes invalidate results: frames must be analyzed again."""
        before, self.spec = self.spec, spec
        if before == spec:
            return
        self.version += 1
        if before is None or spec is None or before.classes != spec.classes:
            self.cut()

    def cut(self) -> None:
        """Note that the next frame does not follow the last one; see `Scene.cut`."""
        self.version += self.spec is not None
        self._known = _Known()
        if self._follower is not None:
            self._follower.cut()

    def see(self, shapes: Sequence[Shape], pts: float, size: Size, *, has_nan: bool = False) -> None:
        """Accept the result for the frame of a time; see `Scene.see`. `has_nan`: objects may be missing."""
        if self.spec is None:
            return
        if self._known.pts is not None and not pts >= self._known.pts:
            self.cut()
        if has_unplaced_labels(shapes):
            self.cut()
            return
        things = (*_redacted_objects(shapes, self.spec), *([_RedactedObject(None)] if has_nan else []))
        followed = [thing for thing in things if _is_followed(thing)]
        boxes = [Box("", 0, *thing.extents) for thing in followed if thing.extents is not None]
        told = self._follow(boxes, pts, size)
        identities = [getattr(shape, "identity", None) for shape in told.shapes]
        nameless = [thing for thing in things if not _is_followed(thing)]
        known = self._known
        found = {}
        for thing, identity in zip(followed, identities, strict=True):
            if identity is None:
                nameless.append(thing)
            else:
                found[identity] = thing
        remembered = {box.identity for box in told.expected}
        kept = {i: thing for i, thing in known.things.items() if i in remembered}
        self._known = _Known(pts, size, kept | found, tuple(nameless), frozenset(found))
        self.version += 1

    def _follow(self, boxes: Sequence[Shape], pts: float, size: Size) -> FollowedShapes:
        if self._follower is None:
            # Without redaction, neither this nor lapx is needed.
            from desktop.vision.tracking.follower import Follower

            self._follower = Follower()
        return self._follower.follow(boxes, pts, size, self._track)

    @property
    def _track(self) -> TrackSpec:
        hold = self.spec.hold if self.spec is not None else 0.0
        return TrackSpec(score=0.0, overlap=0.2, hits=1, remember=hold, by_class=False, trail=0.0)

    # -- areas -----------------------------------------------------------------------------------------------

    def areas(self, pts: float, *, exact: bool) -> tuple[HiddenArea, ...]:
        """Return the areas to hide in the frame of a time in seconds.

        If `exact`, only this frame's result is used; without one, the whole frame is hidden.
        """
        spec = self.spec
        if spec is None:
            return ()
        age = None if self._known.pts is None else pts - self._known.pts
        if exact and age != 0.0:
            return (FULL_FRAME,)
        patience = max(spec.hold, _LEAST_PATIENCE)
        if age is None or not 0.0 <= age <= patience:
            return (FULL_FRAME,) if spec.unseen else ()
        places = [*self._followed(spec, pts, age), *(_area(spec, t, age=age) for t in self._known.nameless)]
        return tuple(places) if len(places) <= MOST_AREAS else (FULL_FRAME,)

    def _followed(self, spec: AnonymizeSpec, pts: float, age: float) -> Iterable[HiddenArea]:
        if self._follower is None:
            return
        known = self._known
        # For a frame with a result, the objects not detected in it; for a later one all.
        expected = self._follower.places(pts, self._track)
        for identity, thing in known.things.items():
            if age == 0.0 and identity in known.found:
                yield _area(spec, thing)
            elif identity in expected:
                yield _area(spec, thing, expected[identity])


def has_unplaced_labels(shapes: Sequence[Shape]) -> bool:
    """Return True if a result has labels without positions: relying on it would show everything."""
    names = any(isinstance(shape, Label) and not shape.colored for shape in shapes)
    return names and all(isinstance(shape, Label) for shape in shapes)


def _is_followed(thing: _RedactedObject) -> bool:
    return thing.extents is not None and (thing.mask is None or not thing.mask.is_class)


def _redacted_objects(shapes: Sequence[Shape], spec: AnonymizeSpec) -> Iterable[_RedactedObject]:
    """Yield the objects to hide in a result: all shapes of an object, if one of them has a wanted label."""
    together: dict[object, list[Shape]] = {}
    for place, shape in enumerate(shapes):
        number = getattr(shape, "thing", None)
        together.setdefault(("alone", place) if number is None else number, []).append(shape)
    for parts in together.values():
        if any(spec.wants(shape.label) for shape in parts):
            thing = _redacted_object(parts, spec)
            if thing is not None:
                yield thing


def _redacted_object(parts: Sequence[Shape], spec: AnonymizeSpec) -> _RedactedObject | None:
    mask = next((shape for shape in parts if isinstance(shape, Mask)), None)
    if mask is not None and mask.is_class:
        return _RedactedObject((mask.left, mask.top, mask.right, mask.bottom), mask=mask)
    told = [extents for shape in parts if (extents := bounds(shape)) is not None]
    if not told:
        return None
    found = [extents for extents in told if all(map(math.isfinite, extents))]
    if not found:
        # It exists, but the network's position is not finite: relying on that would show it.
        return _RedactedObject(None)
    fits = spec.outline == "fitting"
    is_round = fits and any(shape.label.casefold() in _ROUND for shape in parts)
    return _RedactedObject(_hull(found), is_round, mask if fits else None)


def _hull(boxes: Sequence[Extents]) -> Extents:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (_near(min(lefts)), _near(min(tops)), _near(max(rights)), _near(max(bottoms)))


def _near(value: float) -> float:
    return max(-_FAR, min(_FAR, value))


def _area(
    spec: AnonymizeSpec, thing: _RedactedObject, expected: Extents | None = None, *, age: float = 0.0
) -> HiddenArea:
    """Return an object's area with its margin, from its last to its expected positions while undetected.

    The pixels of a class, which are not tracked, are enlarged by the time since their detection.
    """
    if thing.extents is None:
        return FULL_FRAME
    left, top, right, bottom = thing.extents
    mask = thing.mask
    if mask is not None and (expected is None or mask.is_class):
        across, down = spec.margin * (right - left), spec.margin * (bottom - top)
        # The pixels of a class belong to many objects, and have no size for a relative margin.
        later = min(_CLASS_MARGIN + _CLASS_SPEED * age, _MOST_CLASS_MARGIN)
        grow = later if mask.is_class else spec.margin
        return HiddenArea(left - across, top - down, right + across, bottom + down, mask=mask, grow=grow)
    if expected is not None:
        left, top, right, bottom = _hull((thing.extents, expected))
    middle = ((left + right) / 2.0, (top + bottom) / 2.0)
    scale = 1.0 + 2.0 * spec.margin
    scale = max(scale, _AROUND) if thing.is_round else scale
    across, down = (max(_LEAST, scale * side / 2.0) for side in (right - left, bottom - top))
    return HiddenArea(
        middle[0] - across, middle[1] - down, middle[0] + across, middle[1] + down, thing.is_round
    )
