"""Shapes of a result, for the overlay, exports, tracks and events, which do not depend on tasks.

Coordinates are fractions of the source image from the upper left, so that they hold for any size; `moved`
converts them to pixels. `index` is the number of the class or part, which determines the color; `identity`
that of the track, or None. Shapes with the same `thing` show one object (a body's box and its points).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy as np
    import wgpu

Position = tuple[float, float]
"""(x, y)"""
Extents = tuple[float, float, float, float]
"""(left, top, right, bottom)"""
Place = Callable[[float, float], Position]
"""Function that maps a position to another one."""


class Shape(ABC):
    """Common part of all shapes: the label, and the number that determines the color. Shapes are frozen."""

    label: str
    index: int

    @abstractmethod
    def moved(self, place: Place) -> Self:
        """Return the shape with `place` applied to each of its positions."""


@dataclass(frozen=True)
class Label(Shape):
    """A class of the whole image, score in 0..1; if `colored`, the legend for objects in its color."""

    label: str
    value: float
    index: int = 0
    colored: bool = False

    def moved(self, place: Place) -> Self:
        """Return the label itself: it has no position."""
        return self


@dataclass(frozen=True)
class Box(Shape):
    """An upright rectangle; `points` are key points that a detector returns with it, to align its content."""

    label: str
    index: int
    left: float
    top: float
    right: float
    bottom: float
    score: float | None = None
    identity: int | None = None
    thing: int | None = None
    points: tuple[Position, ...] = ()

    def moved(self, place: Place) -> Self:
        """See `Shape`; a mirrored box has its left edge at the left again."""
        (x0, y0), (x1, y1) = place(self.left, self.top), place(self.right, self.bottom)
        moved = replace(self, left=min(x0, x1), top=min(y0, y1), right=max(x0, x1), bottom=max(y0, y1))
        return replace(moved, points=_all(self.points, place)) if self.points else moved


@dataclass(frozen=True)
class Points(Shape):
    """Points of one object (a face, a body, a hand) and the lines between some of them.

    Attributes:
        edges: pairs of indices of `points` that a line joins.
        score: of the object as a whole, None if there is none.
        confidences: of each point, in 0..1; a point with 0 is not drawn. Empty: all are certain.
    """

    label: str
    index: int
    points: tuple[Position, ...]
    edges: tuple[tuple[int, int], ...] = ()
    score: float | None = None
    identity: int | None = None
    thing: int | None = None
    confidences: tuple[float, ...] = ()

    def is_visible(self, index: int) -> bool:
        """Return True if a point is drawn."""
        return not self.confidences or self.confidences[index] > 0.0

    def visible_points(self) -> tuple[Position, ...]:
        """Return the points that are drawn."""
        return tuple(point for index, point in enumerate(self.points) if self.is_visible(index))

    def moved(self, place: Place) -> Self:
        return replace(self, points=_all(self.points, place))


@dataclass(frozen=True)
class Line(Shape):
    """A line through points; with `arrow`, its end has an arrowhead."""

    label: str
    index: int
    points: tuple[Position, ...]
    arrow: bool = False
    identity: int | None = None

    def moved(self, place: Place) -> Self:
        return replace(self, points=_all(self.points, place))


@dataclass(frozen=True)
class Polygon(Shape):
    """A closed outline: an oriented box, the edge of a mask, a zone."""

    label: str
    index: int
    points: tuple[Position, ...]
    score: float | None = None
    identity: int | None = None
    thing: int | None = None

    def moved(self, place: Place) -> Self:
        return replace(self, points=_all(self.points, place))


@dataclass(frozen=True)
class Mask(Shape):
    """The pixels of an object within a part of the image: a texture of one red channel on the GPU.

    It is also the object's box, which the overlay draws on the CPU over the pixels (`mask_layer.py`). The
    texture lives as long as the mask, its content until some results later: then `read` returns None.

    Attributes:
        texture: float values, interpolated between the texels; an array texture, or one of a single layer.
        left, top, right, bottom: the part of the image that encloses the object.
        part: (left, top, right, bottom) of the texture's area for it, as fractions of the texture.
        level: the object is where the interpolated value is above this: 0.5 for a probability, 0 for a logit.
        is_class: it has all pixels of a class, not of an object: no box and no track.
    """

    label: str
    index: int
    texture: wgpu.GPUTexture
    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0
    score: float | None = None
    identity: int | None = None
    thing: int | None = None
    layer: int = 0
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    level: float = 0.5
    is_class: bool = False
    reader: Callable[[], np.ndarray | None] | None = field(default=None, compare=False, repr=False)

    def read(self) -> np.ndarray | None:
        """Return uint8 [height, width], 0 or 1, or None if not available; waits, on the render thread."""
        return self.reader() if self.reader is not None else None

    def moved(self, place: Place) -> Self:
        """See `Shape`; a mirrored mask has its right edge at the left."""
        (x0, y0), (x1, y1) = place(self.left, self.top), place(self.right, self.bottom)
        return replace(self, left=x0, top=y0, right=x1, bottom=y1)


def objects_in(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return one shape with bounds of each object, of which a box, a mask and points may be there."""
    found: dict[object, Shape] = {}
    for number, shape in enumerate(shapes):
        if bounds(shape) is not None:
            thing = getattr(shape, "thing", None)
            found.setdefault(("alone", number) if thing is None else thing, shape)
    return tuple(found.values())


def bounds(shape: Shape) -> Extents | None:
    """Return a shape's bounding box; None if it is no object, such as a line or the pixels of a class."""
    match shape:
        case Box():
            return _upright(shape.left, shape.top, shape.right, shape.bottom)
        case Mask():
            return None if shape.is_class else _upright(shape.left, shape.top, shape.right, shape.bottom)
        case Points():
            return _around(shape.visible_points())
        case Polygon():
            return _around(shape.points)
    return None


def _upright(left: float, top: float, right: float, bottom: float) -> Extents:
    if left > right:
        left, right = right, left
    if top > bottom:
        top, bottom = bottom, top
    return (left, top, right, bottom)


def _around(points: Sequence[Position]) -> Extents | None:
    if not points:
        return None
    across, down = zip(*points, strict=True)
    return (min(across), min(down), max(across), max(down))


def caption(shape: Shape) -> str:
    """Return a shape's caption of identity, label and percentage; '' for a part of a captioned object."""
    score, identity = getattr(shape, "score", None), identity_of(shape)
    if score is None and not shape.label:
        return ""
    number = "" if identity is None else f"#{identity} "
    return f"{number}{shape.label}" if score is None else f"{number}{shape.label} {score * 100:.0f} %"


ObjectShape = Box | Points | Polygon | Mask
"""Shapes of an object: they have its identity over time, and its number among the objects of one result."""


def identity_of(shape: Shape) -> int | None:
    """Return the identity of the object that a shape shows; None if it is not tracked."""
    return getattr(shape, "identity", None)


def color_number(shape: Shape) -> int:
    """Return the number that determines a shape's color: its identity if tracked, otherwise its class."""
    identity = identity_of(shape)
    return shape.index if identity is None else identity


def _all(points: Sequence[Position], place: Place) -> tuple[Position, ...]:
    return tuple(place(x, y) for x, y in points)
