"""Zones and the heat map on the canvas: where their points come to lie, and what stands beside them.

Figures stand there without words, which no file needs to be translated for: how many are inside, + how many came in or crossed forward,
− how many went out or crossed backward.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.present import Placement
from desktop.compute.tasks.shapes import Place, Position
from desktop.compute.tracking.counts import Counts, LineCounts
from desktop.compute.tracking.heat_map import HeatImage
from desktop.compute.tracking.zones import AnyZone, LineSpec

# Length of the arrow that shows a line's forward, in heights of the picture.
_ARROW: Final = 0.05


@dataclass(frozen=True)
class DrawnZone:
    """A zone or line on the canvas; positions are device pixels.

    Attributes:
        points: its corners or ends.
        is_closed: a zone; a line, or what is being drawn, is open.
        color: number of its color.
        title, figures: what stands beside it.
        arrow: from where to where a line's forward goes.
        has_corners: its points can be taken hold of.
        chosen: the number of the one that the arrow keys move.
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
    """A heat map on the canvas: (left, top, right, bottom) in device pixels; a mirrored one has its right edge at the left."""

    image: HeatImage
    rect: tuple[float, float, float, float]


def placing(at: Placement, picture: tuple[int, int], *, mirrored: bool) -> Place:
    """Return where a share of the picture comes to lie, in whole device pixels of the canvas; see `placed`."""

    def put(x: float, y: float) -> Position:
        across = 1.0 - x if mirrored else x
        return (round(at.x + at.zoom * across * picture[0]), round(at.y + at.zoom * y * picture[1]))

    return put


def drawn_zones(
    zones: Iterable[AnyZone],
    counts: Sequence[Counts],
    put: Place,
    aspect: float,
    selected: str = "",
    chosen: int | None = None,
) -> tuple[DrawnZone, ...]:
    """Return zones as they lie on the canvas.

    Args:
        zones: what to show.
        counts: what they have counted, found by their names.
        put: where a share of the picture comes to lie.
        aspect: the picture's width by its height.
        selected: the name of the one that can be changed.
        chosen: the number of its corner that the arrow keys move.
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
    """From the middle of a line to its right; made in the picture, so that a mirrored one shows the same way."""
    (ax, ay), (bx, by) = line.points
    across, down = (bx - ax) * aspect, by - ay
    length = max(1e-9, (across**2 + down**2) ** 0.5)
    x, y = (ax + bx) / 2, (ay + by) / 2
    return put(x, y), put(x - down / length * _ARROW / aspect, y + across / length * _ARROW)
