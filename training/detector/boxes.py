"""Grids to boxes, and boxes to figures: decoding, suppression, average precision. Everything here is NumPy,
for few pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.detector.model import STRIDES

_MOST = 300


@dataclass(frozen=True)
class Found:
    """Boxes of one kind in one picture: (N, 4) left, top, right, bottom in pixels, and (N,) scores in 0..1."""

    boxes: np.ndarray
    scores: np.ndarray


NOTHING = Found(np.zeros((0, 4)), np.zeros(0))


def decoded(raw: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return (cells, 4) corners in pixels of (4, cells): x, y from the cell's corner and logarithms of the
    sizes, in cells.
    """
    x, y, stride = places(width, height)
    middle = np.stack([(raw[0] + x) * stride, (raw[1] + y) * stride], 1)
    half = np.exp(np.minimum(raw[2:].astype(np.float64), 12)).T * stride[:, None] / 2
    return np.concatenate([middle - half, middle + half], 1)


def places(width: int, height: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return column, row and stride of each cell of the three grids, (cells,) each."""
    parts = []
    for stride in STRIDES:
        y, x = np.mgrid[0 : height // stride, 0 : width // stride]
        parts.append((x.ravel(), y.ravel(), np.full(x.size, stride)))
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))  # type: ignore[return-value]


def overlaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return (N, M) intersections over unions of (N, 4) and (M, 4) corners."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    inside = (high - low).clip(min=0).prod(2)
    first, second = (a[:, 2:] - a[:, :2]).prod(1), (b[:, 2:] - b[:, :2]).prod(1)
    return inside / np.maximum(first[:, None] + second[None] - inside, 1e-9)


def suppressed(
    boxes: np.ndarray, scores: np.ndarray, least: float, iou: float = 0.5, most: int = _MOST
) -> Found:
    """Return the boxes that score at least `least`, without those that share more than `iou` with a better
    one; best first. Only the `most` best ones are looked at.
    """
    order = np.flatnonzero(scores >= least)
    order = order[np.argsort(-scores[order], kind="stable")][:most]
    boxes, scores = boxes[order], scores[order]
    shared = overlaps(boxes, boxes)
    kept: list[int] = []
    for i in range(len(boxes)):
        if not kept or shared[i, kept].max() <= iou:
            kept.append(i)
    return Found(boxes[kept], scores[kept])


def average_precision(found: Sequence[Found], truths: Sequence[np.ndarray], iou: float = 0.5) -> float:
    """Return the average precision (all points; Everingham et al. 2010) of one kind over pictures; each truth
    is (M, 4) corners.
    """
    total = sum(len(truth) for truth in truths)
    rows: list[tuple[float, bool]] = []
    for guess, truth in zip(found, truths, strict=True):
        free = np.ones(len(truth), bool)
        for box, score in zip(guess.boxes, guess.scores, strict=True):
            shared = overlaps(box[None], truth)[0] * free if len(truth) else np.zeros(0)
            hit = bool(len(shared) and shared.max() >= iou)
            if hit:
                free[int(shared.argmax())] = False
            rows.append((float(score), hit))
    if not total or not rows:
        return 0.0
    hits = np.array([hit for _, hit in sorted(rows, key=lambda row: -row[0])])
    recall = np.concatenate([[0.0], hits.cumsum() / total])
    precision = hits.cumsum() / np.arange(1, len(hits) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(recall) * envelope).sum())
