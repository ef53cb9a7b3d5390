"""Weighted box fusion: merge the detections of several networks in one image (Solovyev et al. 2021).

Boxes of one person are averaged, weighted by their scores; the fused score is the mean over all looks, where one that
has not seen the person counts as 0. The paper adds one box after the other to the clusters. Here the boxes that
suppression leaves are the clusters' first middles, and all boxes choose one of them, twice: the order has no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from training.detector.boxes import NOTHING, Found, overlaps, suppressed

_SAME: Final = 0.55
"""Overlap from which on two boxes are of one person."""
_TWICE: Final = 0.6
"""Overlap of fused boxes from which on the better one is kept alone."""


def mirrored(found: Found, width: float) -> Found:
    """Return what was found in a mirror image at its places in the picture, which is `width` pixels wide."""
    left, top, right, bottom = found.boxes.T
    return Found(np.stack([width - right, top, width - left, bottom], 1), found.scores)


def fused(looks: Sequence[Found]) -> Found:
    """Return one box for each person that any of the looks has found, best first; see the module."""
    boxes = np.concatenate([look.boxes for look in looks])
    scores = np.concatenate([look.scores for look in looks])
    if not len(boxes):
        return NOTHING
    look_of = np.repeat(np.arange(len(looks)), [len(look.scores) for look in looks])
    middles = suppressed(boxes, scores, 0.0, _SAME, most=len(boxes)).boxes
    for _ in range(2):
        shared = overlaps(middles, boxes)
        is_mine = (np.arange(len(middles))[:, None] == shared.argmax(0)) & (shared > _SAME)
        weights = is_mine * scores
        weights = weights[weights.sum(1) > 0]
        middles = weights @ boxes / weights.sum(1, keepdims=True)
    best = np.stack([weights[:, look_of == n].max(1, initial=0.0) for n in range(len(looks))])
    return suppressed(middles, best.mean(0), 0.0, _TWICE)
