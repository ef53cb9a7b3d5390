"""Validate the shapes of an item: a network may return NaN, and an untrusted file any number."""

from __future__ import annotations

import math
from typing import Any, Final

from desktop.media.sources.image import LARGEST_PIXELS
from desktop.outputs.journal import SavedMask
from desktop.vision.tasks.shapes import Points, Polygon, Shape

MOST_POINTS: Final = 10_000
"""Maximum number of points of an outline or a body."""
# An item that is being moved may lie partly outside of the image, but not arbitrarily far.
_FAR: Final = 1e6

Extra = Points | Polygon | SavedMask
"""A shape that an item may have beside its box."""


def checked(shape: Shape) -> Extra:
    """Return a validated shape. Raises ValueError for NaN, infinity or too many points."""
    match shape:
        case Polygon(points=points) if 3 <= len(points) <= MOST_POINTS:
            _check_points(points)
        case Points(points=points) if 1 <= len(points) <= MOST_POINTS:
            _check_points(points)
            if shape.confidences and len(shape.confidences) != len(points):
                raise ValueError("a confidence is missing")
            _check_numbers(shape.confidences)
            if any(not 0 <= int(end) < len(points) for edge in shape.edges for end in _pair(edge)):
                raise ValueError("an edge leads nowhere")
        case SavedMask():
            _check_mask(shape)
        case _:
            raise ValueError("not the shape of an object")
    return shape


def _check_points(points: tuple[Any, ...]) -> None:
    for point in points:
        _check_numbers(_pair(point))


def _check_mask(mask: SavedMask) -> None:
    width, height = _pair(mask.size)
    if not (isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0):
        raise ValueError("a mask without a size")
    if width * height > LARGEST_PIXELS or len(mask.counts) > width * height + 1:
        raise ValueError("a mask that is too large")
    if any(not isinstance(count, int) or count < 0 for count in mask.counts):
        raise ValueError("a mask of no runs")
    if sum(mask.counts) != width * height:
        raise ValueError("a mask of another size")
    _check_numbers((mask.left, mask.top, mask.right, mask.bottom))


def _check_numbers(values: tuple[Any, ...]) -> None:
    if not all(
        isinstance(v, int | float) and math.isfinite(v) and abs(v) <= _FAR and not isinstance(v, bool)
        for v in values
    ):
        raise ValueError("not a number")


def _pair(value: Any) -> tuple[Any, Any]:
    first, last = value
    return first, last
