"""Prompts on an image: points on or outside an object, a box around it. Imports little, for the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop.vision.tasks.shapes import Extents

MOST_POINTS = 32
"""Limit of points in a prompt: the decoder is loaded for each number of points."""


@dataclass(frozen=True)
class PromptPoint:
    """A point in fractions of the image; `inside`: on the object, otherwise outside."""

    x: float
    y: float
    inside: bool = True


@dataclass(frozen=True)
class Prompts:
    """Prompts on one image: points by click, and a box (left, top, right, bottom) as fractions, or None."""

    points: tuple[PromptPoint, ...] = ()
    box: Extents | None = None

    def __bool__(self) -> bool:
        """Return True if there is a prompt."""
        return bool(self.points) or self.box is not None

    def json(self, size: tuple[int, int]) -> dict[str, Any]:
        """Return them in pixels of an image of a size (width, height)."""
        width, height = size
        points = [[round(p.x * width, 2), round(p.y * height, 2), int(p.inside)] for p in self.points]
        box = None if self.box is None else [round(v * size[i % 2], 2) for i, v in enumerate(self.box)]
        return {"points": points, "box": box}
