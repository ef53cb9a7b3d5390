"""Motion between two frames by feature tracks, on small luma images.

Corners by their least eigenvalue (Shi and Tomasi, CVPR 1994), one a cell, are tracked by pyramidal Lucas-Kanade
with constant gradients (Baker and Matthews, IJCV 2004); a similarity is fitted to most of them (RANSAC), so that
objects that move on their own are left out. In NumPy: OpenCV would add 50 MB for these functions alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Luma = NDArray[np.float32]
Points = NDArray[np.float64]
"""[points, 2]: x, y in pixels."""

_CELLS: Final = (12, 8)
# A corner is at least so strong, as a share of the strongest one.
_WEAKEST: Final = 0.005
# Of the patches that are compared: 11 x 11 pixels.
_REACH: Final = 5
_LEVELS: Final = 4
_SMALLEST: Final = 24
_ROUNDS: Final = 6
# A track is followed if its patches differ by at most so much on average, in 0..255.
_MOST_ERROR: Final = 18.0
_HYPOTHESES: Final = 160
# A point follows the common motion within so many pixels of the small image.
_NEAR: Final = 0.6
_LEAST_POINTS: Final = 6
_LEAST_SHARE: Final = 0.3


@dataclass(frozen=True)
class Motion:
    """Motion of a frame's content since the frame before, about the center of the image.

    Attributes:
        x, y: in widths of the frame, right and down.
        angle: in radians, clockwise.
        scale: natural logarithm of the growth.
    """

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    scale: float = 0.0


class MotionTracker:
    """Tracks from one image to the next. All images have one size."""

    def __init__(self) -> None:
        self._last: list[Luma] | None = None

    def add(self, luma: Luma) -> Motion | None:
        """Return the motion since the image before; None for the first one, another size, or if unknown."""
        last, self._last = self._last, _pyramid(luma)
        if last is None or last[0].shape != luma.shape or min(luma.shape) <= 2 * _REACH:
            return None
        points = _corners(last[0])
        if len(points) < _LEAST_POINTS:
            return None
        moved, is_tracked = _tracked(last, self._last, points)
        return _fitted(points[is_tracked], moved[is_tracked], luma.shape)


def _pyramid(luma: Luma) -> list[Luma]:
    levels = [luma]
    while len(levels) < _LEVELS and min(levels[-1].shape) >= 2 * _SMALLEST:
        above = levels[-1]
        height, width = above.shape[0] // 2 * 2, above.shape[1] // 2 * 2
        levels.append(above[:height, :width].reshape(height // 2, 2, width // 2, 2).mean((1, 3)))
    return levels


def _box_sums(values: Luma, reach: int) -> Luma:
    """Return the sum around each pixel, as far as the edge repeats."""
    padded = np.pad(values, reach + 1, mode="edge").astype(np.float64).cumsum(0).cumsum(1)
    side = 2 * reach + 1
    sums = padded[side:, side:] - padded[:-side, side:] - padded[side:, :-side] + padded[:-side, :-side]
    return sums[: values.shape[0], : values.shape[1]].astype(np.float32)


def _corners(luma: Luma) -> Points:
    """Return the strongest corner of each cell, none at the edge."""
    down, across = np.gradient(luma, axis=0), np.gradient(luma, axis=1)
    xx, yy, xy = (_box_sums(each, _REACH - 2) for each in (across * across, down * down, across * down))
    strength = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    inner = strength[_REACH:-_REACH, _REACH:-_REACH]
    columns, rows = (min(cells, side) for cells, side in zip(_CELLS, inner.shape[::-1], strict=True))
    height, width = inner.shape[0] // rows, inner.shape[1] // columns
    split = inner[: rows * height, : columns * width].reshape(rows, height, columns, width)
    cells = split.transpose(0, 2, 1, 3).reshape(rows * columns, height * width)
    best = cells.argmax(1)
    y = best // width + np.repeat(np.arange(rows), columns) * height + _REACH
    x = best % width + np.tile(np.arange(columns), rows) * width + _REACH
    found = cells.max(1)
    is_strong = found > max(_WEAKEST * float(found.max(initial=0.0)), 1e-3)
    return np.stack((x, y), 1)[is_strong].astype(np.float64)


def _patches(luma: Luma, points: Points, reach: int) -> NDArray[np.float32]:
    """Return the values around points, interpolated: [points, 2 reach + 1, 2 reach + 1]."""
    height, width = luma.shape
    offsets = np.arange(-reach, reach + 1)
    whole = np.floor(points).astype(np.int64)
    fx, fy = ((points - whole).astype(np.float32).T)[:, :, None, None]
    xs = whole[:, 0, None] + np.append(offsets, reach + 1)
    ys = whole[:, 1, None] + np.append(offsets, reach + 1)
    values = luma[np.clip(ys, 0, height - 1)[:, :, None], np.clip(xs, 0, width - 1)[:, None, :]]
    rows = values[:, :-1] * (1 - fy) + values[:, 1:] * fy
    return np.asarray(rows[:, :, :-1] * (1 - fx) + rows[:, :, 1:] * fx)


def _tracked(before: list[Luma], after: list[Luma], points: Points) -> tuple[Points, NDArray[np.bool_]]:
    """Return where points are in the second image, and which of them could be followed."""
    shift = np.zeros_like(points)
    error = np.zeros(len(points))
    for level in reversed(range(len(before))):
        at = (points + 0.5) / 2**level - 0.5
        wide = _patches(before[level], at, _REACH + 1)
        patch = wide[:, 1:-1, 1:-1]
        gx, gy = (wide[:, 1:-1, 2:] - wide[:, 1:-1, :-2]) / 2, (wide[:, 2:, 1:-1] - wide[:, :-2, 1:-1]) / 2
        xx, yy, xy = (np.einsum("nij,nij->n", a, b) for a, b in ((gx, gx), (gy, gy), (gx, gy)))
        determinant = xx * yy - xy * xy + 1e-3
        shift *= 2.0 if level + 1 < len(before) else 1.0
        for _ in range(_ROUNDS):
            difference = _patches(after[level], at + shift, _REACH) - patch
            # Changes of the light from frame to frame are no motion.
            difference -= difference.mean((1, 2), keepdims=True)
            bx, by = (np.einsum("nij,nij->n", g, difference) for g in (gx, gy))
            step = np.stack((yy * bx - xy * by, xx * by - xy * bx), 1) / determinant[:, None]
            shift -= np.clip(step, -2.0, 2.0)
            if np.abs(step).max(initial=0.0) < 0.01:
                break
        error = np.abs(difference).mean((1, 2))
    moved = points + shift
    size = np.array(before[0].shape[::-1])
    is_inside = ((moved >= 0) & (moved <= size - 1)).all(1)
    return moved, is_inside & (error < _MOST_ERROR) & np.isfinite(moved).all(1)


def _fitted(points: Points, moved: Points, shape: tuple[int, ...]) -> Motion | None:
    """Return the similarity that most pairs follow; None if too few do."""
    count = len(points)
    if count < _LEAST_POINTS:
        return None
    height, width = shape[:2]
    # As complex numbers a similarity is a product and a sum.
    center = complex((width - 1) / 2, (height - 1) / 2)
    p, q = (each[:, 0] + 1j * each[:, 1] - center for each in (points, moved))
    # The same for each run, so that an export can be repeated.
    pairs = np.random.default_rng(0).integers(0, count, (_HYPOTHESES, 2))
    pairs = pairs[np.abs(p[pairs[:, 0]] - p[pairs[:, 1]]) > width / 8]
    if not len(pairs):
        return None
    first, second = pairs.T
    turn = (q[first] - q[second]) / (p[first] - p[second])
    shift = q[first] - turn * p[first]
    is_near = np.abs(q - turn[:, None] * p - shift[:, None]) < _NEAR
    chosen = is_near[is_near.sum(1).argmax()]
    a, b = 1 + 0j, 0j
    for _ in range(3):
        if chosen.sum() < max(_LEAST_POINTS, _LEAST_SHARE * count):
            return None
        a, b = _least_squares(p[chosen], q[chosen])
        chosen = np.abs(q - a * p - b) < _NEAR
    return Motion(b.real / width, b.imag / width, float(np.angle(a)), float(np.log(max(abs(a), 1e-6))))


def _least_squares(p: NDArray[np.complex128], q: NDArray[np.complex128]) -> tuple[complex, complex]:
    """Return a and b of q = a p + b."""
    mean_p, mean_q = complex(p.mean()), complex(q.mean())
    spread = p - mean_p
    a = complex((np.conj(spread) * (q - mean_q)).sum() / max(float((np.abs(spread) ** 2).sum()), 1e-9))
    return a, mean_q - a * mean_p
