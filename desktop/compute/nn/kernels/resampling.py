"""Compute the tables of indices and weights with which Resize samples an axis, when the network is built.

Weights are float64; the nearest pixel is decided in float32, as in ONNX Runtime (7 / 0.7 is 10 there).
https://onnx.ai/onnx/operators/onnx__Resize.html
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.kernels.indexing import FILL

ROUNDING: Final[dict[str, Callable[[np.ndarray], np.ndarray]]] = {
    "round_prefer_floor": lambda at: np.ceil(at - 0.5),
    "round_prefer_ceil": lambda at: np.floor(at + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}
SIMPLE: Final = "simple"
"""Rounding of opset 10 and Upsample (unspecified): up if an axis shrinks, else down, as in ONNX Runtime."""
_TIE: Final = 1e-6
"""A coordinate this near to the middle of two pixels counts as the middle, as in ONNX Runtime."""
COORDINATES: Final = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_crop_and_resize",
)


@dataclass(frozen=True)
class Axis:
    """The resizing of one axis from `size` to `count` elements.

    Attributes:
        scale: the factor; `count` is `size * scale` rounded.
        crop: first and last coordinate of the resized part (`tf_crop_and_resize`), as fractions of the axis.
    """

    size: int
    count: int
    scale: float
    crop: tuple[float, float] = (0.0, 1.0)

    @property
    def is_identity(self) -> bool:
        """Return True if every element stays as it is."""
        return self.size == self.count and math.isclose(self.scale, 1.0) and self.crop == (0.0, 1.0)

    def places(self, coordinates: str, dtype: type[np.floating] = np.float64) -> np.ndarray:
        """Return the coordinates of the `count` results among the `size` elements, computed in `dtype`."""
        at = np.arange(self.count, dtype=dtype)
        # A scale may give a fractional length; one that is off by float32's rounding counts as an integer.
        length = self.size * self.scale
        if math.isclose(length, self.count, rel_tol=1e-6):
            length = float(self.count)
        if coordinates == "asymmetric":
            return at / self.scale
        if coordinates == "align_corners":
            return at * (self.size - 1) / (length - 1) if length != 1 else np.zeros_like(at)
        if coordinates == "tf_crop_and_resize":
            first, last = (edge * (self.size - 1) for edge in self.crop)
            if length == 1:
                return np.full_like(at, (first + last) / 2)
            return first + at * (last - first) / (length - 1)
        if coordinates == "pytorch_half_pixel" and self.count == 1:
            return np.zeros_like(at)
        half = (at + 0.5) / self.scale - 0.5
        if coordinates == "half_pixel_symmetric":
            half += self.size / 2 * (1 - self.count / length)
        return half


@dataclass(frozen=True)
class Taps:
    """Results as weighted sums of elements.

    `indices` and `weights` are (count, taps); a row of `FILL` is a result outside of the axis.
    """

    indices: np.ndarray
    weights: np.ndarray


def outside(axis: Axis, coordinates: str, places: np.ndarray) -> np.ndarray:
    """Return a mask, True for the results that the extrapolation value fills."""
    if coordinates != "tf_crop_and_resize":
        return np.zeros(places.shape, bool)
    return (places < 0) | (places > axis.size - 1)


def nearest(axis: Axis, coordinates: str, rounding: str) -> np.ndarray:
    """Return the index of the element, or `FILL`, that each result copies."""
    places = axis.places(coordinates, np.float32)
    middle = np.floor(places) + np.float32(0.5)
    places = np.where(np.abs(places - middle) <= _TIE, middle, places)
    if rounding == SIMPLE:
        rounding = "ceil" if axis.scale < 1 else "floor"
    chosen = np.clip(ROUNDING[rounding](places), 0, axis.size - 1).astype(np.int64)
    return np.where(outside(axis, coordinates, places), FILL, chosen)


def _triangle(distance: np.ndarray) -> np.ndarray:
    return np.clip(1 - np.abs(distance), 0, 1)


def _cubic(distance: np.ndarray, a: float) -> np.ndarray:
    x = np.abs(distance)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def interpolation_support(axis: Axis, mode: str, *, antialias: bool) -> int:
    """Return how many elements on each side linear or cubic interpolation reads."""
    return math.ceil((1 if mode == "linear" else 2) / (min(axis.scale, 1.0) if antialias else 1.0))


def taps(axis: Axis, coordinates: str, mode: str, *, antialias: bool, exclude: bool, a: float) -> Taps:
    """Compute the taps of linear or cubic interpolation; `a` is the cubic filter's parameter.

    Args:
        antialias: stretch the filter if the axis shrinks.
        exclude: weights outside the axis are zero, instead of the nearest element's.
    """
    places = axis.places(coordinates)
    stretch = min(axis.scale, 1.0) if antialias else 1.0
    far = interpolation_support(axis, mode, antialias=antialias)
    first = np.floor(places)
    offsets = np.arange(1 - far, far + 1)
    distance = (offsets - (places - first)[:, None]) * stretch
    weights = _triangle(distance) if mode == "linear" else _cubic(distance, a)
    indices = first[:, None] + offsets
    if exclude:
        weights = np.where((indices >= 0) & (indices < axis.size), weights, 0.0)
    if exclude or antialias:
        total = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(total == 0, 1.0, total)
    indices = np.clip(indices, 0, axis.size - 1).astype(np.int64)
    return Taps(np.where(outside(axis, coordinates, places)[:, None], FILL, indices), weights)
