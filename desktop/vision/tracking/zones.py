"""Zones (polygons) and lines on the frame, and their geometry for all objects at once.

Points are fractions of the frame; geometry uses heights of the frame, so that distances are equal across and
down. Not Shapely: its wheel brings GEOS, 2.5 MB, for three formulae.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from desktop.vision.tasks.shapes import Extents, Position

Anchor = Literal["bottom", "center"]
"""Point of a box that represents the object: middle of the lower edge (a person's feet), or center."""

ANCHORS: Final[tuple[Anchor, ...]] = ("bottom", "center")
MOST_ZONES: Final = 64
MOST_CORNERS: Final = 64
# Presets' rounding preserves it; smaller squares are 0, by which the geometry would divide.
_LEAST_EXTENT: Final = 1e-4
# The edge counts as inside: a zone up to the frame's edge includes objects cut off there.
_ON_EDGE: Final = 1e-9

Places = NDArray[np.float64]
"""float64 [n, 2]: (x, y) in heights of the frame."""


@dataclass(frozen=True)
class ZoneSpec:
    """A polygon of three or more points, in fractions of the frame, which an object's anchor lies in.

    Attributes:
        name: unique among zones and lines.
        classes: only these count; all if empty.
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
    """A line from its first point to its second (see `ZoneSpec`); forward is from its left to its right."""

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
    """Return True for a line with two different ends, or a polygon with three corners and an area."""
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
    """Return fractions of the frame in heights of it; `aspect` is its width by its height."""
    return np.array(points, float).reshape(-1, 2) * (aspect, 1.0)


def inside(places: Places, corners: Places, away: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return bool [n]: places in a polygon (even-odd rule) or on its edge; `away` is their `distance`."""
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
    """Return distances to the right of the infinite line through `ends`, negative to its left, float64."""
    (ax, ay), (bx, by) = ends
    across, down = bx - ax, by - ay
    far: NDArray[np.float64] = (across * (places[:, 1] - ay) - down * (places[:, 0] - ax)) / np.hypot(
        across, down
    )
    return far


def passes(starts: Places, stops: Places, ends: Places) -> NDArray[np.bool_]:
    """Return bool [n]: straight paths that cross the line `ends`; a place on it counts to its right."""
    before, after = beyond(starts, ends), beyond(stops, ends)
    changes = (before >= 0) != (after >= 0)
    share = np.where(changes, before / np.where(changes, before - after, 1.0), 0.0)
    meeting = starts + share[:, None] * (stops - starts)
    along = ends[1] - ends[0]
    at = (meeting - ends[0]) @ along / (along @ along)
    return changes & (at >= 0.0) & (at <= 1.0)
