"""From the network's input back to the image."""

from __future__ import annotations

import numpy as np

from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.task import Size


def to_picture(positions: np.ndarray, preprocess: Preprocess, size: Size) -> np.ndarray:
    """Return input positions (n, 2 k), x, y, ..., in image pixels, where they may lie outside."""
    box, pairs = preprocess.box(*size), positions.shape[1] // 2
    scale = np.array((box.width / box.target_width, box.height / box.target_height) * pairs)
    origin, target = np.array((box.x, box.y) * pairs), np.array((box.target_x, box.target_y) * pairs)
    return np.asarray((positions - target) * scale + origin)
