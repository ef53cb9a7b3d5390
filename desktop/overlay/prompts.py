"""The user's point and box prompts on the canvas. They are not results, and are not drawn into files."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.vision.tasks.shapes import Extents, Place, Position


@dataclass(frozen=True)
class DrawnPrompts:
    """Prompts: points, each on the object or off it, and a box (left, top, right, bottom); None for none."""

    points: tuple[tuple[Position, bool], ...] = ()
    box: Extents | None = None

    def moved(self, place: Place) -> DrawnPrompts:
        """Return the prompts with each position mapped by `place`."""
        points = tuple((place(*at), inside) for at, inside in self.points)
        if self.box is None:
            return DrawnPrompts(points)
        (x0, y0), (x1, y1) = place(*self.box[:2]), place(*self.box[2:])
        return DrawnPrompts(points, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
