"""Sheets of images that are compared by eye: captions, rows, files. Images are (H, W, 3) uint8 RGB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from desktop.base.errors import SourceDamagedError, UsageError

CAPTION: Final = 22
"""Height of a caption in pixels."""
_GROUND: Final = 24
"""Gray level around images and behind captions."""


def read(path: Path) -> np.ndarray:
    """Return an image file's pixels.

    Raises:
        SourceDamagedError: it cannot be decoded.
    """
    found = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if found is None:
        raise SourceDamagedError(f"{path.name} cannot be decoded; name another image.")
    return cv2.cvtColor(found, cv2.COLOR_BGR2RGB)


def write(path: Path, image: np.ndarray, quality: int = 85) -> None:
    """Write an image as the file's ending asks for: JPEG at a quality of 0 to 100, or PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    settings = (
        [cv2.IMWRITE_JPEG_QUALITY, quality] if path.suffix == ".jpg" else [cv2.IMWRITE_PNG_COMPRESSION, 9]
    )
    if not cv2.imwrite(str(path), pixels, settings):
        raise UsageError(f"{path} cannot be written; choose another folder with --out.")


def of_height(image: np.ndarray, height: int) -> np.ndarray:
    """Return an image scaled to a height."""
    width = max(1, round(image.shape[1] * height / image.shape[0]))
    how = cv2.INTER_AREA if height < image.shape[0] else cv2.INTER_CUBIC
    return cv2.resize(image, (width, height), interpolation=how)


def captioned(image: np.ndarray, text: str) -> np.ndarray:
    """Return an image below a line of text (ASCII)."""
    line = np.full((CAPTION, image.shape[1], 3), _GROUND, np.uint8)
    cv2.putText(line, text, (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (225,) * 3, 1, cv2.LINE_AA)
    return np.vstack([line, image])


def row(images: Sequence[np.ndarray], gap: int = 4) -> np.ndarray:
    """Return images of one height side by side."""
    space = np.full((images[0].shape[0], gap, 3), _GROUND, np.uint8)
    parts = [part for image in images for part in (image, space)]
    return np.hstack(parts[:-1])


def rows(images: Sequence[np.ndarray], gap: int = 4) -> np.ndarray:
    """Return images one below the other, the narrower ones with gray at the right."""
    width = max(image.shape[1] for image in images)
    wide = [
        cv2.copyMakeBorder(
            image, 0, gap, 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=(_GROUND,) * 3
        )
        for image in images
    ]
    return np.vstack(wide)
