"""Resizing of images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from desktop.compute.nn.lowering.operator import require
from desktop.compute.nn.ops.tflite.spelling import Spelling

_BITS: Final = 10
"""Of the weights of the reference kernel for int8."""


def _size(s: Spelling) -> list[int]:
    size = s.integers(1)
    require(
        len(size) == 2 and len(s.shape(0)) == 4 and min(size) > 0,
        s.node,
        "a size that does not fit its input",
    )
    return size


def _coordinates(s: Spelling) -> str:
    if s.option("AlignCorners", False):
        return "align_corners"
    return "half_pixel" if s.option("HalfPixelCenters", False) else "asymmetric"


def _resized(s: Spelling, name: str, **attributes: Any) -> str:
    batch, _, _, channels = s.shape(0)
    sizes = s.int64(batch, channels, *_size(s))
    return s.add("Resize", name, "", "", sizes, coordinate_transformation_mode=_coordinates(s), **attributes)


def _nearest(s: Spelling) -> None:
    _size(s)
    rounding = "floor" if _coordinates(s) == "asymmetric" else "round_prefer_ceil"
    s.give(s.last(_resized(s, s.first(s.moved(0)), mode="nearest", nearest_mode=rounding)))


def _bilinear(s: Spelling) -> None:
    _size(s)
    source, grid = s.grid(0), s.out_grid()
    if source is None or grid is None or not s.is_small(source) or not source.is_like(grid):
        s.give_real(s.last(_resized(s, s.first(s.real(0)), mode="linear")))
        return
    x = s.first(s.integer_input(0))
    is_signed = source.zero + source.lowest < 0
    mixed = _mixed(s, x) if is_signed else _resized(s, x, mode="linear")
    s.give(s.last(s.rounded(mixed, source, source.zero)))


def _mixed(s: Spelling, x: str) -> str:
    """Rows, then columns, of two neighbors each with weights of 10 bits."""
    for at, (size, wanted) in enumerate(zip(s.shape(0)[1:3], _size(s), strict=True)):
        lower, upper, part = _neighbors(s, size, wanted)
        axis = 2 + at
        shape = [-1 if i == axis else 1 for i in range(4)]
        weights = (part / np.float32(1 << _BITS)).astype(np.float32).reshape(shape)
        first = s.add("Gather", x, s.constant(lower), axis=axis)
        second = s.add("Gather", x, s.constant(upper), axis=axis)
        near = s.add("Mul", first, s.constant(1 - weights))
        x = s.add("Add", near, s.add("Mul", second, s.constant(weights)))
    return x


def _neighbors(s: Spelling, size: int, wanted: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ComputeInterpolationValuesInteger: two neighbors of each place, and its distance from one in 2^-10."""
    unit = 1 << _BITS
    if s.option("AlignCorners", False) and wanted > 1:
        scale = (unit * (size - 1) + (wanted - 1) // 2) // (wanted - 1)
    else:
        scale = (unit * size + wanted // 2) // wanted
    at = np.arange(wanted, dtype=np.int64) * scale
    if s.option("HalfPixelCenters", False):
        at = np.maximum(at + scale // 2 - unit // 2, 0)
    lower = np.minimum(at // unit, size - 1)
    return lower, np.minimum(at // unit + 1, size - 1), at - unit * lower


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "RESIZE_NEAREST_NEIGHBOR": _nearest,
    "RESIZE_BILINEAR": _bilinear,
}
