"""Shapes of masks that are drawn in the video: what is shown of them, and what a drag changes.

Positions are fractions of the frame. Angles and lengths are measured with the frame's height as the unit, for
which `aspect` is the frame's width.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from desktop.overlay.handles import DrawnHandles
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.param import Values
from desktop.pipeline.filters.params.points import MOST_POINTS, Line, lines_of, points_text
from desktop.vision.tasks.shapes import Position

Changes = Mapping[str, Any]
"""Parameters by name, with their new values."""

_LEAST, _MOST = 0.1, 200.0  # bounds of a box's width and height, in percent
_ROUND_STEPS: Final = 72
_TURN_ABOVE: Final = 0.07  # of the handle that turns a box, above its upper edge
_LONG: Final = 1e4
# Of two points of a stroke, in heights of the frame.
_LEAST_STEP: Final = 0.004


class ShapeEditing(ABC):
    """How the shape of a kind of mask is edited in the video."""

    is_open_area = False
    """True if a press beside the handles is the shape's."""

    @abstractmethod
    def drawn(self, values: Values, aspect: float) -> DrawnHandles:
        """Return what is drawn over the frame."""

    @abstractmethod
    def dragged(self, values: Values, handle: int, to: Position, aspect: float) -> Changes:
        """Return what changes when a handle is dragged to a position."""

    def contains(self, values: Values, at: Position, aspect: float) -> bool:
        """Return whether a press at a position takes hold of the whole shape."""
        return False

    def shifted(self, values: Values, by: Position) -> Changes:
        """Return what changes when the whole shape is moved."""
        return {}


def shape_editing(item: Filter) -> ShapeEditing | None:
    """Return how a kind of mask is drawn, found by its parameters; None if it is not drawn."""
    names = {param.name for param in item.params}
    if {"center", "width", "height", "angle"} <= names:
        return BoxEditing(is_round="corners" not in names)
    if {"start", "end"} <= names:
        return GradientEditing()
    match item.given.source if item.given is not None else "":
        case "outline":
            return PolygonEditing()
        case "brush":
            return BrushEditing()
    return None


@dataclass(frozen=True)
class _Box:
    """A turned box: center and half sizes in heights of the frame, angle in radians clockwise."""

    x: float
    y: float
    across: float
    down: float
    angle: float

    def out(self, x: float, y: float) -> Position:
        """Return a position relative to the center and along the axes as one of the frame, in heights."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.x + x * cos - y * sin, self.y + x * sin + y * cos

    def within(self, x: float, y: float) -> Position:
        """Return a position of the frame relative to the center and along the axes."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return (x - self.x) * cos + (y - self.y) * sin, (y - self.y) * cos - (x - self.x) * sin


_SIDES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
_CORNERS: Final = ((1, 1), (-1, 1), (-1, -1), (1, -1))


@dataclass(frozen=True)
class BoxEditing(ShapeEditing):
    """An ellipse or a rectangle: its center, sides, corners if it has any, and last what turns it."""

    is_round: bool

    @property
    def _holds(self) -> tuple[tuple[int, int], ...]:
        return ((0, 0), *_SIDES) if self.is_round else ((0, 0), *_SIDES, *_CORNERS)

    def _box(self, values: Values, aspect: float) -> _Box:
        v: Any = values
        x, y = v["center"]
        across, down = 0.005 * v["width"] * aspect, 0.005 * v["height"]
        return _Box(x * aspect, y, across, down, math.radians(v["angle"]))

    def drawn(self, values: Values, aspect: float) -> DrawnHandles:
        box = self._box(values, aspect)

        def put(x: float, y: float) -> Position:
            out = box.out(x * box.across, y * box.down)
            return out[0] / aspect, out[1]

        turns = self._turns(box, aspect)
        if self.is_round:
            angles = (2 * math.pi * step / _ROUND_STEPS for step in range(_ROUND_STEPS + 1))
            edge = tuple(put(math.cos(angle), math.sin(angle)) for angle in angles)
        else:
            edge = tuple(put(*corner) for corner in (*_CORNERS, _CORNERS[0]))
        return DrawnHandles((edge, (put(0, -1), turns)), (*(put(*hold) for hold in self._holds), turns))

    @staticmethod
    def _turns(box: _Box, aspect: float) -> Position:
        """Return the handle that turns the box: above its upper edge, or below where that is not in the frame."""
        for above in (_TURN_ABOVE, -min(_TURN_ABOVE, 0.5 * box.down)):
            x, y = box.out(0.0, -box.down - above)
            if 0.0 <= x <= aspect and 0.0 <= y <= 1.0:
                break
        return x / aspect, y

    def dragged(self, values: Values, handle: int, to: Position, aspect: float) -> Changes:
        box = self._box(values, aspect)
        x, y = to[0] * aspect, to[1]
        if handle == len(self._holds):
            return {"angle": float(round(math.degrees(math.atan2(x - box.x, box.y - y))))}
        side = self._holds[handle]
        if side == (0, 0):
            return {"center": _in_frame(to)}
        at = box.within(x, y)
        across, shift_x = _stretched(box.across, side[0], at[0], aspect)
        down, shift_y = _stretched(box.down, side[1], at[1], 1.0)
        center = box.out(shift_x, shift_y)
        return {
            "center": _in_frame((center[0] / aspect, center[1])),
            "width": round(across / (0.005 * aspect), 2),
            "height": round(down / 0.005, 2),
        }

    def contains(self, values: Values, at: Position, aspect: float) -> bool:
        box = self._box(values, aspect)
        x, y = box.within(at[0] * aspect, at[1])
        x, y = x / box.across, y / box.down
        return x * x + y * y <= 1.0 if self.is_round else max(abs(x), abs(y)) <= 1.0

    def shifted(self, values: Values, by: Position) -> Changes:
        center: Any = values["center"]
        return {"center": _in_frame((center[0] + by[0], center[1] + by[1]))}


def _stretched(half: float, side: int, to: float, whole: float) -> tuple[float, float]:
    """Return the half size and the shift of the center when one side is moved and the other one stays."""
    if not side:
        return half, 0.0
    wanted = 0.5 * (half + side * to)
    found = min(max(wanted, 0.005 * _LEAST * whole), 0.005 * _MOST * whole)
    return found, side * (found - half)


class GradientEditing(ShapeEditing):
    """A gradient: its two ends, with the lines across them where it is full and where it is nothing."""

    def drawn(self, values: Values, aspect: float) -> DrawnHandles:
        v: Any = values
        start, end = tuple(v["start"]), tuple(v["end"])
        x, y = (end[0] - start[0]) * aspect, end[1] - start[1]
        ends = tuple(_line_across(p, (-y / aspect, x)) for p in (start, end))
        return DrawnHandles((*ends, (start, end)), (start, end))

    def dragged(self, values: Values, handle: int, to: Position, aspect: float) -> Changes:
        return {("start", "end")[handle]: _in_frame(to)}


def _line_across(at: Position, way: Position) -> tuple[Position, Position]:
    """Return the ends of the line through a position of the frame, where it leaves the frame."""
    first, last = -_LONG, _LONG
    for place, step in zip(at, way, strict=True):
        if abs(step) > 1e-9:
            begin, end = sorted((-place / step, (1.0 - place) / step))
            first, last = max(first, begin), min(last, end)
    (x, y), (dx, dy) = at, way
    return (x + first * dx, y + first * dy), (x + last * dx, y + last * dy)


class PolygonEditing(ShapeEditing):
    """Polygons: their corners."""

    is_open_area = True

    def drawn(self, values: Values, aspect: float) -> DrawnHandles:
        lines = lines_of(str(values["points"]))
        return DrawnHandles(
            tuple((*line, line[0]) for line in lines), tuple(p for line in lines for p in line)
        )

    def dragged(self, values: Values, handle: int, to: Position, aspect: float) -> Changes:
        return self._with_corner(values, handle, (_in_frame(to),))

    def removed(self, values: Values, handle: int) -> Changes:
        """Return what changes when a corner is removed."""
        return self._with_corner(values, handle, ())

    def divided(self, values: Values, handle: int) -> tuple[Changes, int]:
        """Return what changes when a corner is added halfway to the next one, and its handle."""
        first = 0
        for line in lines_of(str(values["points"])):
            at = handle - first
            if 0 <= at < len(line):
                (x0, y0), (x1, y1) = line[at], line[(at + 1) % len(line)]
                corners = (line[at], _in_frame(((x0 + x1) / 2, (y0 + y1) / 2)))
                return self._with_corner(values, handle, corners), handle + 1
            first += len(line)
        return {}, handle

    def _with_corner(self, values: Values, handle: int, corners: Line) -> Changes:
        lines, first = list(lines_of(str(values["points"]))), 0
        for number, line in enumerate(lines):
            at = handle - first
            if 0 <= at < len(line):
                lines[number] = (*line[:at], *corners, *line[at + 1 :])
                break
            first += len(line)
        return {"points": points_text(tuple(line for line in lines if line))}

    def added(self, values: Values, at: Position, aspect: float, *, at_end: bool) -> tuple[Changes, int]:
        """Return what changes when a corner is added, `at_end` or in the nearest edge, and its handle."""
        lines, at = list(lines_of(str(values["points"]))), _in_frame(at)
        if not lines:
            return {"points": points_text(((at,),))}, 0
        number, place = (len(lines) - 1, len(lines[-1])) if at_end else _nearest_edge(lines, at, aspect)
        lines[number] = (*lines[number][:place], at, *lines[number][place:])
        handle = sum(map(len, lines[:number])) + place
        return {"points": points_text(tuple(lines))}, handle


def _nearest_edge(lines: list[Line], at: Position, aspect: float) -> tuple[int, int]:
    """Return the line and the place in it before which a corner on its nearest edge stands."""
    found = (
        (_away(at, line[place - 1], line[place % len(line)], aspect), number, place)
        for number, line in enumerate(lines)
        for place in range(1, len(line) + 1)
    )
    _, number, place = min(found)
    return number, place


def _away(at: Position, start: Position, end: Position, aspect: float) -> float:
    """Return the distance of a position from a line between two others."""
    x, y = (end[0] - start[0]) * aspect, end[1] - start[1]
    dx, dy = (at[0] - start[0]) * aspect, at[1] - start[1]
    along = min(1.0, max(0.0, (dx * x + dy * y) / ((x * x + y * y) or 1.0)))
    return math.hypot(dx - along * x, dy - along * y)


class BrushEditing(ShapeEditing):
    """Strokes of a brush."""

    is_open_area = True

    def drawn(self, values: Values, aspect: float) -> DrawnHandles:
        return DrawnHandles(strokes=lines_of(str(values["strokes"])), width=self.width(values))

    def dragged(self, values: Values, handle: int, to: Position, aspect: float) -> Changes:
        return {}

    def width(self, values: Values) -> float:
        """Return the width of the strokes in heights of the frame."""
        width: Any = values["width"]
        return 0.01 * float(width)

    def begun(self, values: Values, at: Position) -> Changes:
        """Return what changes when a stroke begins; nothing if there are too many points."""
        return self._with((*lines_of(str(values["strokes"])), (at,)))

    def continued(self, values: Values, at: Position, aspect: float) -> Changes:
        """Return what changes when the last stroke goes on to a position; nothing if that is near its end."""
        lines = lines_of(str(values["strokes"]))
        if not lines:
            return {}
        x, y = lines[-1][-1]
        if math.hypot((at[0] - x) * aspect, at[1] - y) < _LEAST_STEP:
            return {}
        return self._with((*lines[:-1], (*lines[-1], at)))

    def erased(self, values: Values) -> Changes:
        """Return what changes when the last stroke is erased."""
        lines = lines_of(str(values["strokes"]))
        return {"strokes": points_text(lines[:-1])} if lines else {}

    def is_full(self, values: Values) -> bool:
        """Return whether there are as many points as there can be."""
        return sum(map(len, lines_of(str(values["strokes"])))) >= MOST_POINTS

    @staticmethod
    def _with(lines: tuple[Line, ...]) -> Changes:
        return {"strokes": points_text(lines)} if sum(map(len, lines)) <= MOST_POINTS else {}


def with_cursor(drawn: DrawnHandles, at: Position, aspect: float) -> DrawnHandles:
    """Return a drawing with a circle as wide as its strokes around a position."""
    angles = [2 * math.pi * step / _ROUND_STEPS for step in range(_ROUND_STEPS + 1)]
    radius = 0.5 * drawn.width
    circle = tuple(
        (at[0] + radius * math.cos(angle) / aspect, at[1] + radius * math.sin(angle)) for angle in angles
    )
    return replace(drawn, lines=(*drawn.lines, circle))


def _in_frame(at: Position) -> Position:
    x, y = (round(min(1.0, max(0.0, share)), 4) for share in at)
    return x, y
