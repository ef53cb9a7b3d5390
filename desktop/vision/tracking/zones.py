"""Zones and lines on the frame, and their geometry.

A zone is a polygon, a line goes from one point to another. Their points are shares of the frame, as those of shapes are. The geometry
is done in heights of the frame, so that a distance is the same across and down; it takes all objects of a frame at once.

Weighed: Shapely (its wheel brings GEOS, 2.5 MB, for three formulae) and OpenCV's `pointPolygonTest` (a test's reference here; one point a
call, and the package is no dependency of the program).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from desktop.vision.tasks.shapes import Extents, Position

Anchor = Literal["bottom", "center"]
"""Point of an object's box that represents it: the middle of its lower edge, where a person's feet are, or its center."""

ANCHORS: Final[tuple[Anchor, ...]] = ("bottom", "center")
MOST_ZONES: Final = 64
MOST_CORNERS: Final = 64
# What presets round to keeps it; and squares of less are 0, by which the geometry would divide.
_LEAST_EXTENT: Final = 1e-4
# On the edge counts as inside: a zone drawn to the frame's edge holds what is cut off there.
_ON_EDGE: Final = 1e-9

Places = NDArray[np.float64]
"""float64 [n, 2]: (x, y) in heights of the frame."""


@dataclass(frozen=True)
class ZoneSpec:
    """A polygon.

    Attributes:
        name: tells it from the others, lines too.
        points: three corners or more, in shares of the frame.
        classes: only these count; all where it is empty.
        anchor: which point of an object has to lie in it.
        color: number of its color, as a class's.
    """

    name: str
    points: tuple[Position, ...]
    classes: tuple[str, ...] = ()
    anchor: Anchor = "bottom"
    color: int = 0

    def with_points(self, points: Sequence[Position]) -> Self:
        """Return the zone with other corners."""
        return replace(self, points=tuple(points))


@dataclass(frozen=True)
class LineSpec:
    """A line from its first point to its second.

    Who looks along it crosses it forward from the left to the right: over a line drawn from the left of the frame to its right,
    forward is down. The other attributes are those of `ZoneSpec`.
    """

    name: str
    points: tuple[Position, ...]
    classes: tuple[str, ...] = ()
    anchor: Anchor = "bottom"
    color: int = 0

    def with_points(self, points: Sequence[Position]) -> Self:
        """Return the line with other ends."""
        return replace(self, points=tuple(points))

    def flipped(self) -> Self:
        """Return the line with forward and backward exchanged."""
        return replace(self, points=self.points[::-1])


AnyZone = ZoneSpec | LineSpec


def is_drawable(zone: AnyZone) -> bool:
    """Return True if it is valid: a line with two different ends, a polygon with three corners and an area."""
    points = np.array(zone.points, float)
    if isinstance(zone, LineSpec):
        return len(points) == 2 and bool(np.ptp(points, axis=0).max() >= _LEAST_EXTENT)
    return 3 <= len(points) <= MOST_CORNERS and bool((np.ptp(points, axis=0) >= _LEAST_EXTENT).all())


def free_name(wanted: str, zones: Sequence[AnyZone]) -> str:
    """Return a name that none of the zones has: the wanted one, or that with a number."""
    taken = {zone.name for zone in zones}
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def anchor_of(extents: Extents, anchor: Anchor) -> Position:
    """Return the point that represents a box, clamped to the frame."""
    left, top, right, bottom = extents
    y = bottom if anchor == "bottom" else (top + bottom) / 2
    return (min(1.0, max(0.0, (left + right) / 2)), min(1.0, max(0.0, y)))


def in_heights(points: Sequence[Position], aspect: float) -> Places:
    """Return shares of the frame in heights of it; `aspect` is its width by its height."""
    return np.array(points, float).reshape(-1, 2) * (aspect, 1.0)


def inside(places: Places, corners: Places, away: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which places lie in a polygon or on its edge, by the even-odd rule; bool [n]. `away` is their `distance` from the edge."""
    x, y = places[:, 0, None], places[:, 1, None]
    x0, y0 = corners.T
    x1, y1 = np.roll(corners, -1, axis=0).T
    spans = (y0 > y) != (y1 > y)
    rise = np.where(y1 == y0, 1.0, y1 - y0)
    to_the_left = x < x0 + (y - y0) * (x1 - x0) / rise
    odd: NDArray[np.bool_] = (spans & to_the_left).sum(axis=1) % 2 == 1
    return odd | (away <= _ON_EDGE)


def distance(places: Places, corners: Places) -> NDArray[np.float64]:
    """Return how far places are from a polygon's edge; float64 [n]."""
    along = np.roll(corners, -1, axis=0) - corners
    off = places[:, None] - corners
    share = (off * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-30)
    gap = off - np.clip(share, 0.0, 1.0)[..., None] * along
    nearest: NDArray[np.float64] = np.hypot(gap[..., 0], gap[..., 1]).min(axis=1)
    return nearest


def beyond(places: Places, ends: Places) -> NDArray[np.float64]:
    """Return how far places are to the right of the endless line through `ends`, negative to its left; float64 [n]."""
    (ax, ay), (bx, by) = ends
    across, down = bx - ax, by - ay
    far: NDArray[np.float64] = (across * (places[:, 1] - ay) - down * (places[:, 0] - ax)) / np.hypot(
        across, down
    )
    return far


def passes(starts: Places, stops: Places, ends: Places) -> NDArray[np.bool_]:
    """Tell which ways, straight from a start to a stop, go over the line between `ends`; bool [n].

    A place on the line counts to its right, so that a way that rests on it goes over it once.
    """
    before, after = beyond(starts, ends), beyond(stops, ends)
    changes = (before >= 0) != (after >= 0)
    share = np.where(changes, before / np.where(changes, before - after, 1.0), 0.0)
    meeting = starts + share[:, None] * (stops - starts)
    along = ends[1] - ends[0]
    at = (meeting - ends[0]) @ along / (along @ along)
    return changes & (at >= 0.0) & (at <= 1.0)
