"""What a user points at in a picture: points on a thing, points beside it, a box around it. A leaf: the window makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop.compute.tasks.shapes import Extents

MOST_POINTS = 32
"""Points of one question, at most: each is one more number of points that the decoder is loaded for."""


@dataclass(frozen=True)
class PromptPoint:
    """A point in shares of the picture; `inside`: the thing is there, else it is not."""

    x: float
    y: float
    inside: bool = True


@dataclass(frozen=True)
class Prompts:
    """What is asked of one picture.

    Attributes:
        points: in the order in which they were set.
        box: (left, top, right, bottom) around the thing, in shares of the picture; None for none.
    """

    points: tuple[PromptPoint, ...] = ()
    box: Extents | None = None

    def __bool__(self) -> bool:
        """True where something is asked."""
        return bool(self.points) or self.box is not None

    def json(self, size: tuple[int, int]) -> dict[str, Any]:
        """Return them in pixels of a picture of a size (width, height)."""
        width, height = size
        points = [[round(p.x * width, 2), round(p.y * height, 2), int(p.inside)] for p in self.points]
        box = None if self.box is None else [round(v * size[i % 2], 2) for i, v in enumerate(self.box)]
        return {"points": points, "box": box}
