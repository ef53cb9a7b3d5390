"""Masks as lengths of runs, and back, in COCO's order: column by column, beginning with pixels outside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def run_lengths(inside: np.ndarray) -> tuple[int, ...]:
    """Return run lengths outside and inside in turn, of bool [height, width]."""
    flat = np.asarray(inside, bool).ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff(np.concatenate(([0], edges, [flat.size]))).tolist()
    # The first run is of pixels outside, and so may be of none.
    return tuple([0, *counts] if flat.size and flat[0] else counts)


def from_run_lengths(counts: Sequence[int], size: tuple[int, int]) -> np.ndarray:
    """Decode `run_lengths` to bool [height, width] of a (width, height); missing pixels are outside."""
    width, height = size
    flat = np.zeros(width * height, bool)
    at = 0
    for place, count in enumerate(counts):
        flat[at : at + count] = place % 2 == 1
        at += count
    return flat.reshape((height, width), order="F")


def tight(inside: np.ndarray) -> tuple[float, float, float, float]:
    """Return bounds (left, top, right, bottom), in fractions, of a non-empty mask, bool [height, width]."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    height, width = inside.shape
    return (
        float(columns[0] / width),
        float(rows[0] / height),
        float((columns[-1] + 1) / width),
        float((rows[-1] + 1) / height),
    )


def outline_of(inside: np.ndarray) -> tuple[tuple[float, float], ...]:
    """Return the outline of the largest part of a mask, bool [height, width], along pixel edges; () if empty.

    One polygon has no holes or other parts. Edges are followed with the inside at the right; where four meet,
    the path turns right, which separates pixels that touch only at a corner.
    """
    onward = _edges(np.pad(np.asarray(inside, bool), 1))
    best: list[tuple[int, int]] = []
    largest = 0.0
    while onward:
        corners = _walk(onward)
        area = _area(corners)
        if area > largest:
            best, largest = corners, area
    return tuple((float(x), float(y)) for x, y in best)


_Corner = tuple[int, int]


def _edges(padded: np.ndarray) -> dict[_Corner, list[_Corner]]:
    """Return the ends of the edges from each corner, clockwise around what is inside."""
    onward: dict[_Corner, list[_Corner]] = {}
    here, above, left = padded[1:, 1:], padded[:-1, 1:], padded[1:, :-1]
    for y, x in np.argwhere(here != above).tolist():
        first, last = ((x, y), (x + 1, y)) if here[y, x] else ((x + 1, y), (x, y))
        onward.setdefault(first, []).append(last)
    for y, x in np.argwhere(here != left).tolist():
        first, last = ((x, y + 1), (x, y)) if here[y, x] else ((x, y), (x, y + 1))
        onward.setdefault(first, []).append(last)
    return onward


def _walk(onward: dict[_Corner, list[_Corner]]) -> list[_Corner]:
    """Take one closed line out of the edges; its corners, those on a straight way left out."""
    start = at = next(iter(onward))
    way = (0, 0)
    corners: list[_Corner] = []
    while True:
        ahead = onward[at]
        # In a frame, whose y runs down, the right of (dx, dy) is (-dy, dx).
        right = (at[0] - way[1], at[1] + way[0])
        to = right if len(ahead) > 1 and right in ahead else ahead[0]
        ahead.remove(to)
        if not ahead:
            del onward[at]
        step = (to[0] - at[0], to[1] - at[1])
        if step != way:
            corners.append(at)
        at, way = to, step
        if at == start:
            return corners


def _area(corners: list[_Corner]) -> float:
    """Positive for a line around something, negative for one around a hole."""
    following = [*corners[1:], corners[0]]
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, following, strict=True)) / 2
