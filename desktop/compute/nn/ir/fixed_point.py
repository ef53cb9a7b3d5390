"""TensorFlow Lite's integers: a factor is a 31-bit integer and a power of two, a product rounds twice.

Halves go away from zero. In NumPy, for tables; `requantize` in epilogue.py is the same in WGSL. Definitions:
- https://github.com/google/gemmlowp/blob/master/fixedpoint/fixedpoint.h
- https://github.com/tensorflow/tensorflow/blob/master/tensorflow/lite/kernels/internal/common.h
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from desktop.compute.nn.ir.grid import Grid


@dataclass(frozen=True)
class Factor:
    """A real factor: `multiplier` of 2^30 to 2^31 - 1 (or 0), times 2^(shift - 31)."""

    multiplier: int
    shift: int

    @staticmethod
    def of(real: float) -> Factor:
        """Return the nearest one to a number that is not negative (QuantizeMultiplier)."""
        if not math.isfinite(real) or real <= 0:
            return Factor(0, 0)
        fraction, shift = math.frexp(real)
        multiplier = math.floor(fraction * (1 << 31) + 0.5)
        if multiplier == 1 << 31:
            multiplier, shift = multiplier // 2, shift + 1
        if shift < -31:
            return Factor(0, 0)
        return Factor((1 << 31) - 1, 30) if shift > 30 else Factor(multiplier, shift)


def high_product(a: np.ndarray, b: int | np.ndarray, bits: int = 31) -> np.ndarray:
    """2 a b / 2^(bits + 1), rounded, of numbers of `bits` + 1 bits (SaturatingRoundingDoublingHighMul)."""
    product = np.asarray(a, np.int64) * b
    nudged = product + np.where(product >= 0, 1 << (bits - 1), 1 - (1 << (bits - 1)))
    return np.minimum(np.where(nudged >= 0, nudged >> bits, -(-nudged >> bits)), (1 << bits) - 1)


def divided(a: np.ndarray, exponent: int) -> np.ndarray:
    """a / 2^exponent, rounded to the nearest, halves away from zero (RoundingDivideByPOT)."""
    mask = (1 << exponent) - 1
    threshold = (mask >> 1) + (a < 0)
    return (a >> exponent) + ((a & mask) > threshold)


def multiplied(a: np.ndarray, factor: Factor) -> np.ndarray:
    """Integers times a factor (MultiplyByQuantizedMultiplier)."""
    moved = np.asarray(a, np.int64) << max(factor.shift, 0)
    return divided(high_product(moved, factor.multiplier), max(-factor.shift, 0))


def rounded_away(values: np.ndarray) -> np.ndarray:
    """To the nearest integer, halves away from zero, as C's `round`."""
    return np.trunc(values + np.copysign(0.5, values)).astype(values.dtype)


def clipped(stored: np.ndarray, grid: Grid) -> np.ndarray:
    """Numbers as stored, zero point included, as numbers of `grid`: bounded, less its zero point."""
    return np.clip(stored - grid.zero, grid.lowest, grid.highest)


def table_of_floats(function: Callable[[np.ndarray], np.ndarray], source: Grid, grid: Grid) -> np.ndarray:
    """A float function of every number of `source`, rounded to `grid` in float32 (LUTPopulate)."""
    with np.errstate(all="ignore"):
        real = (source.scale * source.numbers.astype(np.float32)).astype(np.float32)
        values = np.asarray(function(real), np.float32)
        scaled = np.nan_to_num(values * (np.float32(1) / grid.scale), nan=0.0, posinf=1e9, neginf=-1e9)
    return clipped(rounded_away(scaled.astype(np.float64)).astype(np.int64) + grid.zero, grid)


def thresholds_away(grid: Grid) -> np.ndarray:
    """For each number of `grid` the smallest float32 quantized to it or a larger one; then infinity."""
    with np.errstate(over="ignore"):
        guess = ((grid.numbers - 0.5) * np.float64(grid.scale)).astype(np.float32)
    near = [guess]
    for _ in range(4):
        near = [np.nextafter(near[0], np.float32(-np.inf)), *near, np.nextafter(near[-1], np.float32(np.inf))]
    candidates = np.stack(near)
    with np.errstate(over="ignore"):
        reached = np.clip(rounded_away(candidates / grid.scale), grid.lowest, grid.highest) >= grid.numbers
    found = candidates[np.argmax(reached, axis=0), np.arange(grid.numbers.size)]
    found[0] = -np.inf
    return np.append(found, np.float32(np.inf)).astype(np.float32)
