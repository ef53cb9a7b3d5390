"""Anchors in the cells of grids: the cell, stride and prior size of an anchor, in NumPy and in WGSL.

Grids have rising strides, cells go row by row; a cell's anchors are adjacent (SSD) or in maps (YOLO).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.vision.tasks.detection.boxes import NO_POINTS, box_shader, corners
from desktop.vision.tasks.task import Size

Sizes = tuple[tuple[float, float], ...]
"""(width, height) of the prior boxes of a cell, in pixels; (0, 0) where boxes don't follow from one."""


# SSD's variances (Liu et al. 2016, arXiv:1512.02325).
_AT, _BY = 0.1, 0.2
# Exponents are clamped because files are untrusted: exp(20) times a prior exceeds any image.
_LARGEST: Final = 20.0


def squares(*sides: float) -> Sizes:
    """Return prior boxes that are squares."""
    return tuple((side, side) for side in sides)


SMALL_FACES: Final = (
    *((8, squares(10, 16, 24)), (16, squares(32, 48))),
    *((32, squares(64, 96)), (64, squares(128, 192, 256))),
)
"""The grids of the small SSDs for faces: UltraFace, RetinaFace (slim), YuNet of 2022."""


@dataclass(frozen=True)
class Prior:
    """Anchors: cell (column, row) (n, 2), stride (n, 1), prior width and height (n, 2) in pixels."""

    cell: np.ndarray
    stride: np.ndarray
    extent: np.ndarray


@dataclass(frozen=True)
class Priors:
    """The anchors of a family: stride and prior boxes of each grid.

    `by_map`: a cell's anchors are in separate maps, otherwise adjacent; `floors`: grids omit partial cells.
    """

    levels: tuple[tuple[int, Sizes], ...]
    by_map: bool = False
    floors: bool = False

    def __len__(self) -> int:
        """Number of grids."""
        return len(self.levels)

    def grid(self, size: Size, stride: int) -> Size:
        """Return the columns and rows of a grid of an input of a size."""
        across, down = (side // stride if self.floors else -(-side // stride) for side in size)
        return across, down

    def counts(self, size: Size) -> tuple[int, ...]:
        """Return each grid's number of anchors; zeros if the size is free."""
        return tuple(math.prod(self.grid(size, stride)) * len(sizes) for stride, sizes in self.levels)

    def of(self, anchors: np.ndarray, size: Size) -> Prior:
        """Return the properties of anchors (n,), numbered over all grids, of an input of a size."""
        cell, stride, extent = (
            np.zeros((len(anchors), 2)),
            np.ones((len(anchors), 1)),
            np.zeros((len(anchors), 2)),
        )
        first = 0
        for (each, sizes), count in zip(self.levels, self.counts(size), strict=True):
            inside = (anchors >= first) & (anchors < first + count)
            at, across = anchors[inside] - first, max(1, self.grid(size, each)[0])
            number, which = self._split(at, len(sizes), count)
            cell[inside] = np.stack((number % across, number // across), 1)
            stride[inside], extent[inside] = each, np.array(sizes)[which]
            first += count
        return Prior(cell, stride, extent)

    def _split(self, at: np.ndarray, each: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Number of the cell, and of the anchor in it."""
        if self.by_map:
            cells = max(1, count // each)
            return at % cells, at // cells
        return at // each, at % each

    def shader(self) -> str:
        """Return WGSL of `fn prior_of(anchor: u32, size: vec2f) -> Prior` with its struct, as `of`."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield "struct Prior { cell: vec2f, stride: f32, extent: vec2f }"
        yield "fn prior_of(anchor: u32, size: vec2f) -> Prior {"
        yield "    var at = anchor;"
        whole = "floor" if self.floors else "ceil"
        for stride, sizes in self.levels:
            each = len(sizes)
            number, which = (
                ("at % cells", "at / cells") if self.by_map else (f"at / {each}u", f"at % {each}u")
            )
            values = ", ".join(f"vec2f({float(width)}, {float(height)})" for width, height in sizes)
            yield "    {"
            yield f"        let across = max(u32({whole}(size.x / {stride}.0)), 1u);"
            yield f"        let cells = max(across * u32({whole}(size.y / {stride}.0)), 1u);"
            yield f"        if at < cells * {each}u {{"
            yield f"            let number = {number};"
            yield f"            var sizes = array<vec2f, {each}>({values});"
            yield f"            return Prior(vec2f(f32(number % across), f32(number / across)), {stride}.0, sizes[{which}]);"
            yield "        }"
            yield f"        at -= cells * {each}u;"
            yield "    }"
        yield "    return Prior(vec2f(0.0), 1.0, vec2f(0.0));"
        yield "}"


def distance_boxes(middles: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """Return corners (n, 4) of distances (n, 4) to the left, top, right and bottom of points (n, 2)."""
    return np.concatenate((middles - distances[:, :2], middles + distances[:, 2:]), axis=1)


def distance_shader(middle: str, distances: str, points: str = NO_POINTS) -> str:
    """Return WGSL of `distance_boxes`; the arguments are expressions of `p`, a Prior, and `v`."""
    head = "fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f {\n    let p = prior_of(anchor, size);"
    body = f"    let middle = {middle};\n    let distances = {distances};"
    return f"{head}\n{body}\n    return vec4f(middle - distances.xy, middle + distances.zw);\n}}\n{points}"


def point_shader(point: str) -> str:
    """Return WGSL of `point_of`; `point` is an expression of `p`, a Prior, and `v`, a point's numbers."""
    return (
        "fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f {\n"
        f"    let p = prior_of(anchor, size);\n    return {point};\n}}"
    )


def prior_boxes(priors: Priors, anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (x, y, w, h) relative to priors, with SSD's variances; see `Decoder.boxes`."""
    prior = priors.of(anchors, size)
    middles = (prior.cell + 0.5) * prior.stride + _AT * values[:, :2] * prior.extent
    return corners(middles, prior.extent * np.exp(np.minimum(_BY * values[:, 2:4], _LARGEST)))


def prior_points(priors: Priors, anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode points relative to priors; see `Decoder.points`."""
    prior, count = priors.of(anchors, size), values.shape[1] // 2
    middles = np.tile((prior.cell + 0.5) * prior.stride, count)
    return np.asarray(middles + _AT * values * np.tile(prior.extent, count))


def prior_shader(priors: Priors) -> str:
    """Return `prior_boxes` and `prior_points` in WGSL."""
    middle = "(p.cell + 0.5) * p.stride"
    box = box_shader(
        "let p = prior_of(anchor, size);",
        f"let middle = {middle} + {_AT} * v.xy * p.extent;",
        f"let extent = p.extent * exp(min({_BY} * v.zw, vec2f({_LARGEST})));",
    )
    return "\n".join((priors.shader(), box, point_shader(f"{middle} + {_AT} * v * p.extent")))
