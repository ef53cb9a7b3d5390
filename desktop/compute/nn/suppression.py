"""Non-maximum suppression on the host, apart from the operators, whose import takes 0.2 s."""

from __future__ import annotations

import numpy as np


def _overlap(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of one box with others, 0 where either is empty; float32."""
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    shared = np.where((sides > 0).all(axis=1), sides.prod(axis=1), np.float32(0))
    area, areas = (box[2:] - box[:2]).prod(), (others[:, 2:] - others[:, :2]).prod(axis=1)
    union = area + areas - shared
    valid = (shared > 0) & (areas > 0) & (union > 0) & (area > 0)
    return np.divide(shared, union, out=np.zeros_like(shared), where=valid)


def selected(boxes: np.ndarray, scores: np.ndarray, most: int, iou: float, least: float | None) -> list[int]:
    """Return indices of boxes (n, 4: two corners, coordinates rising) that stay, best first, ties by index.

    A box goes if a better one that stays has an IoU above `iou`, or if its score is at most `least`.
    """
    order = np.argsort(-scores, kind="stable")
    left = order if least is None else order[scores[order] > least]
    chosen: list[int] = []
    while left.size and len(chosen) < most:
        best, left = left[0], left[1:]
        chosen.append(int(best))
        left = left[~(_overlap(boxes[best], boxes[left]) > iou)]
    return chosen
