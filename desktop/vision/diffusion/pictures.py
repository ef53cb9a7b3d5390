"""Convert images to and from the format of a coder."""

from __future__ import annotations

import av
import numpy as np


def fitted(pixels: np.ndarray, width: int, height: int) -> np.ndarray:
    """Crop an image (uint8 [height, width, 3], R'G'B') centrally to a size's aspect; scale it by Lanczos."""
    there = pixels.shape[:2]
    share = min(there[1] / width, there[0] / height)
    inner = max(1, round(width * share)), max(1, round(height * share))
    left, top = (there[1] - inner[0]) // 2, (there[0] - inner[1]) // 2
    cut = np.ascontiguousarray(pixels[top : top + inner[1], left : left + inner[0]])
    frame = av.VideoFrame.from_ndarray(cut, format="rgb24")
    return frame.reformat(width, height, format="rgb24", interpolation="LANCZOS").to_ndarray()


def to_coder(pixels: np.ndarray, *, signed: bool) -> np.ndarray:
    """Return uint8 [height, width, 3] as float32 [1, 3, height, width], within -1..1 or 0..1."""
    planes = pixels.transpose(2, 0, 1)[None].astype(np.float32) / 255
    return np.ascontiguousarray(planes * 2 - 1 if signed else planes)


def from_coder(planes: np.ndarray, *, signed: bool) -> np.ndarray:
    """Return float [1, 3, height, width] as uint8 [height, width, 3]; NaN becomes black."""
    values = planes[0].astype(np.float32)
    shares = np.clip(np.nan_to_num(values / 2 + 0.5 if signed else values), 0, 1)
    return np.ascontiguousarray(np.round(shares * 255).astype(np.uint8).transpose(1, 2, 0))
