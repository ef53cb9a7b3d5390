"""Inputs of a few-step denoiser (noise, sketch, noise shares) in NumPy; on the GPU see denoise.wgsl.

Step k of n reads (1 - l) * x + l * noise with l = strength * (n - k) / n, x in -1..1 being the last output:
multistep sampling of consistency models (Song et al. 2023, arXiv:2303.01469, algorithm 1) along flow
matching's straight path, with the same noise before every step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

import numpy as np

SKETCH: Final = 8
"""Side in pixels of the squares whose means are the sketch."""
MOST_STEPS: Final = 4
_CHANNELS: Final = 3


@dataclass(frozen=True)
class DenoiseSettings:
    """Settings that can change from image to image; `steps` are a denoiser's runs on an image.

    Attributes:
        strength: noise share of the first step, 0 (the image is unchanged) to 1 (only its sketch remains).
        steady: the same noise for every image, so that still objects do not flicker.
        similarity: keep the last result if no square of the sketch changed by this share; 0 always runs.
    """

    steps: int = 1
    strength: float = 0.6
    seed: int = 0
    steady: bool = True
    similarity: float = 0.02

    def updated(self, values: Mapping[str, object]) -> Self:
        """Return a copy with the settings in `values`; other entries are ignored."""
        names = {field.name for field in fields(self)}
        known: dict[str, Any] = {name: value for name, value in values.items() if name in names}
        return replace(self, **known)

    def levels(self) -> tuple[float, ...]:
        """Return the share of noise of each step."""
        return tuple(self.strength * (self.steps - step) / self.steps for step in range(self.steps))

    def seed_of(self, number: int) -> int:
        """Return the seed of the noise for image `number`, 0..2^32-1."""
        return (self.seed + (0 if self.steady else number * 0x9E3779B1)) & 0xFFFFFFFF


def noise(height: int, width: int, seed: int) -> np.ndarray:
    """Return (1, 3, height, width) float32 noise, N(0, 1), a function of each element's place and the seed:
    pcg3d (Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020), then Box-Muller.
    """
    channel, y, x = np.meshgrid(
        *(np.arange(n, dtype=np.uint32) for n in (_CHANNELS, height, width)), indexing="ij"
    )
    first, second, _ = _pcg3d(x, y | (channel << np.uint32(20)), np.full_like(x, seed & 0xFFFFFFFF))
    radius = np.sqrt(-2 * np.log(((first >> np.uint32(8)) + 1).astype(np.float32) / np.float32(2**24)))
    angle = (second >> np.uint32(8)).astype(np.float32) * np.float32(2 * np.pi / 2**24)
    return np.ascontiguousarray((radius * np.cos(angle))[None], np.float32)


def _pcg3d(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    with np.errstate(over="ignore"):
        x, y, z = (v * np.uint32(1664525) + np.uint32(1013904223) for v in (x, y, z))
        x = x + y * z
        y = y + z * x
        z = z + x * y
        x, y, z = (v ^ (v >> np.uint32(16)) for v in (x, y, z))
        x = x + y * z
        y = y + z * x
        z = z + x * y
    return x, y, z


def squares(picture: np.ndarray) -> np.ndarray:
    """Return means of an image's squares: (1, 3, H, W) to (1, 3, ceil(H / 8), ceil(W / 8)) float32."""
    rows, columns = (np.arange(0, n, SKETCH) for n in picture.shape[2:])
    sums = np.add.reduceat(np.add.reduceat(picture.astype(np.float32), rows, 2), columns, 3)
    heights, widths = (
        np.diff([*starts, n]).astype(np.float32)
        for starts, n in zip((rows, columns), picture.shape[2:], strict=True)
    )
    return np.asarray(sums / (heights[:, None] * widths[None, :]), np.float32)


def sketch(means: np.ndarray, height: int, width: int) -> np.ndarray:
    """Return squares enlarged bilinearly between their centers: (1, 3, height, width) float32."""
    for axis, size in ((2, height), (3, width)):
        at = np.clip((np.arange(size) + 0.5) / SKETCH - 0.5, 0, means.shape[axis] - 1)
        low = np.floor(at).astype(int)
        share = (at - low).astype(np.float32).reshape([-1 if a == axis else 1 for a in range(4)])
        high = np.minimum(low + 1, means.shape[axis] - 1)
        means = means.take(low, axis) * (1 - share) + means.take(high, axis) * share
    return np.ascontiguousarray(means, np.float32)


def is_like(means: np.ndarray, kept: np.ndarray | None, similarity: float) -> bool:
    """Return True if squares (-1..1) differ from those kept by less than this share of the range."""
    return kept is not None and float(np.abs(means - kept).max()) < 2 * similarity
