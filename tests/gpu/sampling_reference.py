"""Resampling and color in NumPy, written from their definitions, as references for the filters' tests."""

from __future__ import annotations

import numpy as np

BT709 = np.array([0.2126, 0.7152, 0.0722])


def srgb_to_linear(c):
    c = np.asarray(c, np.float64)
    return np.where(c <= 0.04045, c / 12.92, ((np.maximum(c, 0) + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(c):
    c = np.asarray(c, np.float64)
    return np.where(c <= 0.0031308, c * 12.92, 1.055 * np.maximum(c, 1e-9) ** (1 / 2.4) - 0.055)


def pixel_centers(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """x and y of the pixels' centers, [h, w] each; the picture reaches from 0 to its width and height."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64) + 0.5
    return x, y


def _index(i: np.ndarray, n: int, fill: str) -> np.ndarray:
    if fill == "mirror":
        i = i % (2 * n)
        return np.minimum(i, 2 * n - 1 - i)
    return i % n if fill == "repeat" else np.clip(i, 0, n - 1)


def bilinear(picture: np.ndarray, x: np.ndarray, y: np.ndarray, fill: str = "edge") -> np.ndarray:
    """Bilinear interpolation of [h, w, c] at (x, y); texel (i, j) has its center at (i + 0.5, j + 0.5)."""
    height, width = picture.shape[:2]
    x, y = x - 0.5, y - 0.5
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
    out = np.zeros((*x.shape, picture.shape[2]))
    for dy in (0, 1):
        for dx in (0, 1):
            i, j = x0 + dx, y0 + dy
            weight = np.where(dx, x - x0, 1 - x + x0) * np.where(dy, y - y0, 1 - y + y0)
            value = picture[_index(j, height, fill), _index(i, width, fill)]
            if fill == "black":
                value = value * ((i >= 0) & (i < width) & (j >= 0) & (j < height))[..., None]
            out += weight[..., None] * value
    return out


def shifted(picture: np.ndarray, dx: int, dy: int) -> np.ndarray:
    """The picture's value at (x + dx, y + dy), its edge repeated."""
    height, width = picture.shape[:2]
    rows = np.clip(np.arange(height) + dy, 0, height - 1)
    columns = np.clip(np.arange(width) + dx, 0, width - 1)
    return picture[rows][:, columns]
