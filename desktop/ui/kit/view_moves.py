"""Zoom and pan a view, and map between target (device pixels) and frame positions (fractions)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from desktop.pipeline.picture.present import View, place
from desktop.vision.tasks.shapes import Position

STEP: Final = 1.25
"""Zoom factor of one step of the wheel or of a key."""
GRAB: Final = 9.0
"""Distance at which the pointer grabs a point, in logical pixels."""

_MAX_ZOOM: Final = 64.0
_MIN_ZOOM: Final = 0.02

Size = tuple[int, int]


def zoomed(view: View, picture: Size, target: Size, zoom: float, at: Position | None = None) -> View:
    """Return a view with another zoom that keeps the point under `at`, by default the middle, in place."""
    zoom = max(_MIN_ZOOM, min(_MAX_ZOOM, zoom))
    # Rounding could make a wheel step skip 1:1, where the frame is sharp.
    zoom = 1.0 if abs(zoom - 1.0) < 0.04 else zoom
    x, y = (target[0] / 2, target[1] / 2) if at is None else at
    px, py = place(view, picture, target).to_picture(x, y)
    return _centered_at(
        view,
        ((px + (target[0] / 2 - x) / zoom) / picture[0], (py + (target[1] / 2 - y) / zoom) / picture[1]),
        zoom,
    )


def panned(view: View, picture: Size, target: Size, by: Position) -> View:
    """Return a view panned by a distance."""
    at = place(view, picture, target)
    cx, cy = at.to_picture(target[0] / 2, target[1] / 2)
    center = ((cx - by[0] / at.zoom) / picture[0], (cy - by[1] / at.zoom) / picture[1])
    return _centered_at(view, center, at.zoom)


def _centered_at(view: View, center: Position, zoom: float) -> View:
    x, y = (max(0.0, min(1.0, c)) for c in center)
    return replace(view, mode="free", zoom=zoom, center=(x, y))


def share_under(view: View, picture: Size, target: Size, at: Position) -> Position:
    """Return the frame position at a point of the target, clamped to the frame."""
    x, y = place(view, picture, target).to_picture(*at)
    across, down = (min(1.0, max(0.0, share)) for share in (x / picture[0], y / picture[1]))
    return (1.0 - across if view.mirrored else across, down)


def point_of(view: View, picture: Size, target: Size, share: Position) -> Position:
    """Return the target point of a frame position."""
    at = place(view, picture, target)
    across = 1.0 - share[0] if view.mirrored else share[0]
    return at.x + at.zoom * across * picture[0], at.y + at.zoom * share[1] * picture[1]


def grabbed(points: Iterable[Position], at: Position, reach: float = GRAB) -> int | None:
    """Return the index of the point nearest to a position, None if none is within reach."""
    near = [
        (distance, number)
        for number, (x, y) in enumerate(points)
        if (distance := ((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5) <= reach
    ]
    return min(near)[1] if near else None
