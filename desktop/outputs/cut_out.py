"""Masks as frames: white on the object, or the object alone on a transparent background."""

from __future__ import annotations

import numpy as np


def mask_picture(inside: np.ndarray) -> np.ndarray:
    """Convert a mask, uint8 [height, width] of 0 or 1, to opaque R'G'B'A: white where 1, else black."""
    picture = np.full((*inside.shape, 4), 255, np.uint8)
    picture[..., :3] = (inside > 0)[..., None] * np.uint8(255)
    return picture


def cut_out(picture: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Return an image (uint8 R'G'B'A [height, width, 4]) cropped to a mask, with alpha 0 outside of it. A
    mask of another size is scaled (nearest); an empty one results in a transparent pixel.
    """
    height, width = picture.shape[:2]
    if inside.shape != (height, width):
        rows = np.arange(height) * inside.shape[0] // height
        inside = inside[rows][:, np.arange(width) * inside.shape[1] // width]
    made = picture * (inside > 0)[..., None].astype(np.uint8)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not len(rows):
        return np.zeros((1, 1, 4), np.uint8)
    return np.ascontiguousarray(made[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
