"""Points and a box by which a user asks about the picture, on the canvas. They are no result, and no file shows them."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.compute.tasks.shapes import Extents, Place, Position


@dataclass(frozen=True)
class DrawnPrompts:
    """What is pointed at: points, each on the thing or beside it, and a box (left, top, right, bottom); None for none."""

    points: tuple[tuple[Position, bool], ...] = ()
    box: Extents | None = None

    def moved(self, place: Place) -> DrawnPrompts:
        """Return it with each position where `place` puts it."""
        points = tuple((place(*at), inside) for at, inside in self.points)
        if self.box is None:
            return DrawnPrompts(points)
        (x0, y0), (x1, y1) = place(*self.box[:2]), place(*self.box[2:])
        return DrawnPrompts(points, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
