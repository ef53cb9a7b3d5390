"""Lines and handles of a shape that is edited on the frame."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.vision.tasks.shapes import Place, Position


@dataclass(frozen=True)
class DrawnHandles:
    """A shape that is edited; positions are fractions of the frame, or device pixels of the canvas.

    Attributes:
        lines: polylines; a closed one ends with its first point.
        handles: points that can be dragged; `chosen` is the index of the one that the arrow keys move.
        strokes: painted lines, `width` wide.
    """

    lines: tuple[tuple[Position, ...], ...] = ()
    handles: tuple[Position, ...] = ()
    chosen: int | None = None
    strokes: tuple[tuple[Position, ...], ...] = ()
    width: float = 0.0

    def moved(self, place: Place, scale: float = 1.0) -> DrawnHandles:
        """Return it with `place` applied to each position; widths are multiplied by `scale`."""

        def put(points: tuple[Position, ...]) -> tuple[Position, ...]:
            return tuple(place(x, y) for x, y in points)

        lines, strokes = tuple(map(put, self.lines)), tuple(map(put, self.strokes))
        return DrawnHandles(lines, put(self.handles), self.chosen, strokes, self.width * scale)
