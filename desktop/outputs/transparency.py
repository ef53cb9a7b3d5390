"""Transparent images in files that hold no transparency: laid over black, as the window shows them."""

from __future__ import annotations

import numpy as np


def is_opaque(picture: np.ndarray) -> bool:
    """Return whether no pixel of an image, uint8 [height, width, 4] R'G'B'A, is transparent."""
    return bool((picture[..., 3] == 255).all())


def has_half_transparent(picture: np.ndarray) -> bool:
    """Return whether any pixel of an image, uint8 [height, width, 4] R'G'B'A, is semi-transparent."""
    alpha = picture[..., 3]
    return bool(((alpha != 0) & (alpha != 255)).any())


def over_black(picture: np.ndarray) -> np.ndarray:
    """Return an image with straight alpha, uint8 [height, width, 4] R'G'B'A, composited over black. A file
    without alpha would show colors hidden by transparency. An opaque array is returned itself.
    """
    if is_opaque(picture):
        return picture
    weighted = picture[..., :3].astype(np.uint16) * picture[..., 3:]
    laid = np.full_like(picture, 255)
    laid[..., :3] = (weighted + 127) // 255
    return laid
