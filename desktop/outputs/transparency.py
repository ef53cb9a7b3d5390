"""Transparent images in files that hold no transparency: laid over black, as the window shows them."""

from __future__ import annotations

import numpy as np


def is_opaque(picture: np.ndarray) -> bool:
    """Return whether no pixel of an image, uint8 [height, width, 4] R'G'B'A, is transparent."""
    return bool((picture[..., 3] == 255).all())


def has_half_transparent(picture: np.ndarray) -> bool:
    """Return whether a pixel of an image, uint8 [height, width, 4] R'G'B'A, is neither transparent nor opaque."""
    alpha = picture[..., 3]
    return bool(((alpha != 0) & (alpha != 255)).any())


def over_black(picture: np.ndarray) -> np.ndarray:
    """Return an opaque image, uint8 [height, width, 4], of one with straight alpha, uint8 [height, width, 4] R'G'B'A.

    Without this a file that drops the alpha channel would show the colors that the transparent parts hide. The very array that was given is
    returned where it is opaque.
    """
    if is_opaque(picture):
        return picture
    weighted = picture[..., :3].astype(np.uint16) * picture[..., 3:]
    laid = np.full_like(picture, 255)
    laid[..., :3] = (weighted + 127) // 255
    return laid
