"""Regions that a secondary network reads: upright or turned rectangles from boxes and key points.

As in MediaPipe's graphs (Lugaresi et al. 2019, arXiv:1906.08172): a rectangle is turned so that a line in it
(wrist to middle finger, eye to eye, hips to shoulders) has the angle of the secondary network's training,
shifted along its axes, made square and enlarged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from desktop.vision.tasks.shapes import Position
from desktop.vision.tasks.task import RegionRule, Size

MOST_REGIONS: Final = 16
"""The largest number of regions that a secondary network reads in one image."""
# Below a pixel there is nothing to process; beyond this many images, the numbers are invalid.
_LEAST_SIDE, _MOST_PICTURES = 1.0, 16.0


@dataclass(frozen=True)
class Region:
    """A rectangle as an affine map from (u, v), 0, 0 at its upper left, to fractions of the image.

    `across` is (a, b, c), x = a u + b v + c; `down` is (d, e, f), y = d u + e v + f.
    """

    across: tuple[float, float, float]
    down: tuple[float, float, float]

    @classmethod
    def around(cls, middle: Position, sides: Position, turn: float, size: Size) -> Self | None:
        """Return the region of a center and sides in pixels, turned clockwise by `turn`; None if invalid."""
        width, height = size
        numbers = (*middle, *sides, turn)
        most = _MOST_PICTURES * max(size)
        if not all(map(math.isfinite, numbers)) or min(sides) < _LEAST_SIDE or max(sides) > most:
            return None
        cosine, sine = math.cos(turn), math.sin(turn)
        a, b = sides[0] * cosine, -sides[1] * sine
        d, e = sides[0] * sine, sides[1] * cosine
        c, f = middle[0] - (a + b) / 2, middle[1] - (d + e) / 2
        if not -most < c < most or not -most < f < most:
            return None
        return cls((a / width, b / width, c / width), (d / height, e / height, f / height))

    def place(self, u: float, v: float) -> Position:
        """Return the place in the image of a position in the region, both in fractions; see `Shape.moved`."""
        (a, b, c), (d, e, f) = self.across, self.down
        return a * u + b * v + c, d * u + e * v + f

    @property
    def is_upright(self) -> bool:
        """True where its sides are parallel to the image's."""
        return abs(self.across[1]) < 1e-9 and abs(self.down[0]) < 1e-9

    @property
    def corners(self) -> tuple[Position, ...]:
        """Its four corners in fractions of the image, clockwise from its upper left one."""
        return tuple(self.place(u, v) for u, v in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))


def find_region(
    rule: RegionRule,
    box: Sequence[float] | None,
    points: Sequence[Position],
    size: Size,
    aspect: float = 1.0,
) -> Region | None:
    """Return the region of an object; None if its numbers are invalid.

    Args:
        box: left, top, right, bottom as fractions of the image; None for `extent` or a circle.
        points: key points as fractions of the image; without those of the rule, the box is used.
        size: (width, height) of the image, in pixels.
        aspect: width to height of the network's input, for a rule that is not `square`.
    """
    pixels = np.asarray(points, float).reshape(-1, 2) * size
    named = (*rule.start, *rule.end, *rule.extent)
    has_points = bool(named) and max(named) < len(pixels)
    turn = _turn(rule, pixels) if has_points and rule.start else 0.0
    if has_points and rule.circle:
        middle = pixels[rule.start[0]]
        sides = np.repeat(2.0 * float(np.hypot(*(pixels[rule.end[0]] - middle))), 2)
    elif has_points and rule.extent:
        middle, sides = _turned_extent(pixels[list(rule.extent)], turn)
    elif box is not None:
        corners = np.asarray(box, float).reshape(2, 2) * size
        middle, sides = corners.mean(axis=0), corners[1] - corners[0]
    else:
        return None
    with np.errstate(all="ignore"):  # an untrusted network may give anything
        middle = middle + _turned(np.array(rule.shift) * sides, turn)
        if rule.square:
            sides = np.repeat(sides.max(), 2)
        else:
            sides = np.maximum(sides, sides[::-1] * (aspect, 1.0 / aspect))
    x, y = (float(value) for value in middle)
    width, height = (float(value) for value in sides * rule.scale)
    return Region.around((x, y), (width, height), turn, size)


def _turn(rule: RegionRule, pixels: np.ndarray) -> float:
    """Radians, with the clock, between -pi and pi."""
    x, y = pixels[list(rule.end)].mean(axis=0) - pixels[list(rule.start)].mean(axis=0)
    turn = math.radians(rule.angle) - math.atan2(-y, x)
    return turn - 2 * math.pi * math.floor((turn + math.pi) / (2 * math.pi)) if math.isfinite(turn) else turn


def _turned(vectors: np.ndarray, turn: float) -> np.ndarray:
    cosine, sine = np.cos(turn), np.sin(turn)
    return np.asarray(vectors @ np.array(((cosine, sine), (-sine, cosine))))


def _turned_extent(points: np.ndarray, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """Middle and sides of the rectangle around points, along axes that are turned."""
    along = _turned(points, -turn)
    low, high = along.min(axis=0), along.max(axis=0)
    return _turned((low + high) / 2, turn), high - low
