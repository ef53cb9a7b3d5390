"""Zones and the heat map on the canvas: positions of their points, and their labels. Counts have no words to
translate: number inside, + entered or crossed forward, − left or crossed backward.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.pipeline.picture.present import Placement
from desktop.vision.tasks.shapes import Place, Position
from desktop.vision.tracking.counts import Counts, LineCounts
from desktop.vision.tracking.heat_map import HeatImage
from desktop.vision.tracking.zones import AnyZone, LineSpec

# Length of the arrow for a line's forward direction, in heights of the frame.
_ARROW: Final = 0.05


@dataclass(frozen=True)
class DrawnZone:
    """A zone or line on the canvas; positions are device pixels.

    Attributes:
        points: its corners or ends, draggable if it `has_corners`.
        is_closed: True for a zone; a line, or a zone being drawn, is open.
        color: index of its color.
        title, figures: its label.
        arrow: start and end of the arrow in a line's forward direction.
        chosen: index of the point that the arrow keys move.
    """

    points: tuple[Position, ...]
    is_closed: bool
    color: int
    title: str = ""
    figures: str = ""
    arrow: tuple[Position, Position] | None = None
    has_corners: bool = False
    chosen: int | None = None


@dataclass(frozen=True)
class DrawnHeat:
    """A heat map at (left, top, right, bottom) in device pixels; if mirrored, left > right."""

    image: HeatImage
    rect: tuple[float, float, float, float]


def placing(at: Placement, picture: tuple[int, int], *, mirrored: bool, digits: int | None = None) -> Place:
    """Return the mapping from fractions of the frame to device pixels of the canvas; see `placed`.

    They are whole, or rounded to `digits` after the point.
    """

    def put(x: float, y: float) -> Position:
        across = 1.0 - x if mirrored else x
        left, top = at.x + at.zoom * across * picture[0], at.y + at.zoom * y * picture[1]
        return round(left, digits), round(top, digits)

    return put


def drawn_zones(
    zones: Iterable[AnyZone],
    counts: Sequence[Counts],
    put: Place,
    aspect: float,
    selected: str = "",
    chosen: int | None = None,
) -> tuple[DrawnZone, ...]:
    """Return zones placed on the canvas.

    Args:
        counts: their counts, found by name.
        put: maps fractions of the frame to the canvas.
        aspect: the frame's width divided by its height.
        selected: the name of the one that can be edited, `chosen` the index of its corner to move.
    """
    by_name = {each.name: each for each in counts}
    return tuple(
        DrawnZone(
            tuple(put(x, y) for x, y in zone.points),
            not isinstance(zone, LineSpec),
            zone.color,
            zone.name,
            _figures(by_name.get(zone.name)),
            _arrow(zone, put, aspect) if isinstance(zone, LineSpec) else None,
            zone.name == selected,
            chosen if zone.name == selected else None,
        )
        for zone in zones
    )


def _figures(counts: Counts | None) -> str:
    if counts is None:
        return ""
    if isinstance(counts, LineCounts):
        return f"+{counts.forward} −{counts.backward}"
    came = f"  +{counts.entered} −{counts.left}" if counts.entered else ""
    return f"{counts.inside}{came}"


def _arrow(line: LineSpec, put: Place, aspect: float) -> tuple[Position, Position]:
    """Return an arrow to the right of a line, computed in the frame, as mirroring must not turn it."""
    (ax, ay), (bx, by) = line.points
    across, down = (bx - ax) * aspect, by - ay
    length = max(1e-9, (across**2 + down**2) ** 0.5)
    x, y = (ax + bx) / 2, (ay + by) / 2
    return put(x, y), put(x - down / length * _ARROW / aspect, y + across / length * _ARROW)
