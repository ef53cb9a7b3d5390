"""Transparent images in files that hold no transparency: laid over black, as the window shows them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def is_opaque(picture: NDArray[Any]) -> bool:
    """Return whether no pixel of an image, uint8 or float16 [height, width, 4] R'G'B'A, is transparent."""
    return bool((picture[..., 3] >= (255 if picture.dtype == np.uint8 else 1)).all())


def has_half_transparent(picture: np.ndarray) -> bool:
    """Return whether any pixel of an image, uint8 [height, width, 4] R'G'B'A, is semi-transparent."""
    alpha = picture[..., 3]
    return bool(((alpha != 0) & (alpha != 255)).any())


def over_black(picture: NDArray[Any]) -> NDArray[Any]:
    """Return an image with straight alpha, uint8 or float16 [height, width, 4] R'G'B'A, composited over black. A
    file without alpha would show colors hidden by transparency. An opaque array is returned itself.
    """
    if is_opaque(picture):
        return picture
    laid = np.ones_like(picture)
    if picture.dtype != np.uint8:
        laid[..., :3] = picture[..., :3].astype(np.float32) * picture[..., 3:]
        return laid
    weighted = picture[..., :3].astype(np.uint16) * picture[..., 3:]
    laid[..., 3] = 255
    laid[..., :3] = (weighted + 127) // 255
    return laid
