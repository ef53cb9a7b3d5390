"""Convert shapes to detections for the tracker, and its tracks back to shapes with identities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.vision.tasks.shapes import Box, Extents, Line, Mask, ObjectShape, Points, Polygon, Shape, bounds
from desktop.vision.tracking.track import FollowedShapes, TrackSpec
from desktop.vision.tracking.tracker import MAX_BOXES, Tracker, TrackerInput
from desktop.vision.tracking.trails import Trails

if TYPE_CHECKING:
    from desktop.vision.tasks.task import Size

# As `ObjectShape`, of which isinstance takes longer.
_FOLLOWED: Final = (Box, Points, Polygon, Mask)
# Minimum side of a box, in longer frame sides; a smaller box would not overlap with itself a moment later.
_LEAST_SIDE: Final = 0.005
# Limit of positions outside of the frame, in its sizes: a network may return any number.
_FARTHEST: Final = 4.0
# An object is within this many standard deviations of its prediction nineteen times in twenty.
_DEVIATIONS: Final = 2.0


@dataclass(frozen=True)
class _TrackableObjects:
    """Objects of a result that can be tracked, in its order.

    Attributes:
        leading: the first shape with a position of each object, which represents it; with its extents.
        places: their indices in the result.
        parts: (place, object) of an object's shapes besides its leading shape.
    """

    leading: list[ObjectShape]
    extents: list[Extents]
    places: list[int]
    parts: list[tuple[int, int]]


class Follower:
    """Assigns identities to the shapes of results."""

    def __init__(self) -> None:
        self._tracker = Tracker()
        self._past_positions = Trails()
        self._classes: dict[int, int] = {}
        # Last shape of each identity, for the label of a predicted box.
        self._last: dict[int, ObjectShape] = {}
        # (width, height, width, height) of the last frame, in pixels.
        self._scale = np.ones(4)

    def cut(self) -> None:
        """See `Scene.cut`."""
        self._tracker.cut()
        self._past_positions.clear()
        self._last = {}

    def places(self, pts: float, spec: TrackSpec) -> dict[int, Extents]:
        """Return each identity's possible area, in fractions, at a time not before the newest result.

        It is its predicted box, enlarged by two standard deviations of center and sides, at most by its size.
        """
        tracks = self._tracker.tracks.expected(pts, spec.remember)
        motion = tracks.motion
        off = np.sqrt(motion.var_at)
        reach = np.minimum(_DEVIATIONS * off[:, :2] + off[:, 2:], motion.at[:, 2:])
        boxes = (motion.boxes + np.concatenate((-reach, reach), axis=1)) / self._scale
        found = zip(tracks.identity.tolist(), boxes.tolist(), strict=True)
        return {
            identity: (left, top, right, bottom) for identity, (left, top, right, bottom) in found if identity
        }

    def follow(self, shapes: Sequence[Shape], pts: float, size: Size, spec: TrackSpec) -> FollowedShapes:
        """Return a result's shapes with identities, and the tracks; see `Scene.see`."""
        pts = pts if isinstance(pts, int | float) and math.isfinite(pts) else 0.0
        tracks = self._tracker.tracks
        if tracks.pts is not None and pts < tracks.pts:
            self.cut()
        things = _trackable_objects(shapes)
        # A frame has at least one pixel; shapes of a frame of unknown size still have fractions.
        width, height = max(1, size[0]), max(1, size[1])
        scale = np.array((width, height, width, height), float)
        self._scale = scale
        identities = self._tracker.step(self._detections(things, scale), pts, spec).tolist()
        result = list(shapes)
        for shape, extents, place, identity in zip(
            things.leading, things.extents, things.places, identities, strict=True
        ):
            if not identity:
                continue
            self._last[identity] = shape
            result[place] = with_identity(shape, identity)
            left, top, right, bottom = extents
            self._past_positions.add(identity, ((left + right) / 2.0, (top + bottom) / 2.0), pts, spec.trail)
        for place, thing in things.parts:
            if identities[thing]:
                result[place] = with_identity(result[place], identities[thing])
        trails, expected = self._trails(pts, spec.trail), self._expected(pts, scale)
        return FollowedShapes(tuple(result), trails, expected, self._tracker.tally)

    def _trails(self, pts: float, seconds: float) -> tuple[Line, ...]:
        if seconds <= 0.0:
            self._past_positions.clear()
            return ()
        last = self._last
        return tuple(
            Line(last[identity].label, last[identity].index, points, False, identity)
            for identity, points in self._past_positions.recent(pts, seconds).items()
            if identity in last
        )

    def _detections(self, things: _TrackableObjects, scale: np.ndarray) -> TrackerInput:
        boxes = np.array(things.extents, float).reshape(len(things.extents), 4)
        boxes = np.clip(boxes, -_FARTHEST, 1.0 + _FARTHEST) * scale
        least = _LEAST_SIDE * scale.max()
        more = np.maximum(least - (boxes[:, 2:] - boxes[:, :2]), 0.0) / 2.0
        boxes += np.concatenate((-more, more), axis=1)
        # A missing score counts as certain; a NaN score counts as 0.
        scores = np.array([1.0 if s.score is None else s.score for s in things.leading], float)
        # By number and not by name: a secondary network may name the same dog another breed in each frame.
        known = self._classes
        classes = [known.setdefault(shape.index, len(known)) for shape in things.leading]
        return TrackerInput(boxes, np.nan_to_num(scores).clip(0.0, 1.0), np.array(classes, np.int64))

    def _expected(self, pts: float, scale: np.ndarray) -> tuple[Box, ...]:
        tracks = self._tracker.tracks
        missing = np.flatnonzero((tracks.identity > 0) & (tracks.seen < pts))
        places = (tracks.motion.boxes[missing] / scale).tolist()
        if len(self._last) > 2 * len(tracks.identity):
            remembered = set(tracks.identity.tolist())
            self._last = {i: shape for i, shape in self._last.items() if i in remembered}
        expected = []
        for identity, (left, top, right, bottom) in zip(
            tracks.identity[missing].tolist(), places, strict=True
        ):
            last = self._last[identity]
            expected.append(Box(last.label, last.index, left, top, right, bottom, identity=identity))
        return tuple(expected)


def with_identity(shape: Shape, identity: int) -> Shape:
    """Return a shape with an identity."""
    assert isinstance(shape, _FOLLOWED)
    # What `replace` does without its checks, which take five times as long; a crowd has hundreds.
    made = object.__new__(type(shape))
    made.__dict__.update(shape.__dict__, identity=identity)
    return made


def _trackable_objects(shapes: Sequence[Shape]) -> _TrackableObjects:
    things = _TrackableObjects([], [], [], [])
    leading, all_extents, places = things.leading, things.extents, things.places
    by_number: dict[int, int] = {}
    for place, shape in enumerate(shapes):
        if not isinstance(shape, _FOLLOWED):
            continue
        if shape.thing is not None:
            if shape.thing in by_number:
                things.parts.append((place, by_number[shape.thing]))
                continue
            by_number[shape.thing] = len(leading)
        extents = bounds(shape)
        # A sum is no number where one of its parts is none, or infinite.
        if extents is None or len(leading) == MAX_BOXES or not math.isfinite(sum(extents)):
            if shape.thing is not None:
                del by_number[shape.thing]
            continue
        leading.append(shape)
        all_extents.append(extents)
        places.append(place)
    return things
