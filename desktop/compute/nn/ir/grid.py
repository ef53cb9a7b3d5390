"""Eight-bit quantization: grids, and the tables that make rounding to them exact on any GPU.

A quantized tensor is held as q - zero point, at most 255 and so exact in float16; its real value is `scale`
times that. Formulae: ONNX QuantizeLinear, DequantizeLinear, QLinearConv; QLinearAdd, rounded once, of
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep


@dataclass(frozen=True)
class Grid:
    """The numbers of a quantized tensor: `zero` point, and the bounds `lowest`, `highest` of q - zero."""

    scale: np.float32
    zero: int
    lowest: int
    highest: int

    @property
    def largest(self) -> int:
        """The largest magnitude."""
        return max(abs(self.lowest), abs(self.highest))

    @property
    def numbers(self) -> np.ndarray:
        """Every number of the grid, in order."""
        return np.arange(self.lowest, self.highest + 1)

    def is_like(self, other: Grid) -> bool:
        """True where the same integer means the same."""
        return self.scale == other.scale and self.zero == other.zero

    def clipped(self, low: float, high: float) -> Grid:
        """Return the grid after a Clip; rounding is monotonic, so the rounded numbers can be clipped."""
        bounds = _rounded(np.array([low, high], np.float32), self)
        return replace(self, lowest=int(bounds[0]), highest=int(bounds[1]))


def _rounded(values: np.ndarray, grid: Grid) -> np.ndarray:
    """QuantizeLinear of float32 numbers, less the zero point."""
    with np.errstate(over="ignore"):
        return np.clip(np.rint(values / grid.scale), grid.lowest, grid.highest)


def around(grids: Sequence[Grid]) -> Grid:
    """Return the first grid with the bounds of all, as of int8 and uint8 of one scale and zero point."""
    lowest, highest = min(each.lowest for each in grids), max(each.highest for each in grids)
    return replace(grids[0], lowest=lowest, highest=highest)


def thresholds_of_floats(grid: Grid) -> np.ndarray:
    """For each number of `grid`, the smallest float32 quantized to it or a larger one; then infinity."""
    with np.errstate(over="ignore"):
        guess = ((grid.numbers - 0.5) * np.float64(grid.scale)).astype(np.float32)
    # The division's rounding moves a threshold by a few neighboring float32 numbers at most.
    near = [guess]
    for _ in range(4):
        near = [np.nextafter(near[0], np.float32(-np.inf)), *near, np.nextafter(near[-1], np.float32(np.inf))]
    candidates = np.stack(near)
    reached = _rounded(candidates, grid) >= grid.numbers
    found = candidates[np.argmax(reached, axis=0), np.arange(grid.numbers.size)]
    found[0] = -np.inf
    return np.append(found, np.float32(np.inf)).astype(np.float32)


def thresholds_of_grid(source: Grid, grid: Grid) -> np.ndarray:
    """The same for the integers of `source`: DequantizeLinear, then QuantizeLinear."""
    results = _rounded(source.numbers.astype(np.float32) * source.scale, grid)
    at = np.searchsorted(results, grid.numbers, side="left")
    found = np.append(source.numbers, np.inf)[at]
    found[0] = -np.inf
    return np.append(found, np.inf).astype(np.float32)


def table_of_sum(first: Grid, second: Grid, grid: Grid) -> np.ndarray:
    """QLinearAdd of every pair of numbers, less the zero point: rows are the first operand's.

    As ONNX Runtime on x86, fma(a, ra, fma(b, rb, zero - fma(za, ra, zb * rb))) in float32 of numbers as uint8
    (int8 + 128); products are exact here by float64.
    """
    shift = [128 if each.zero + each.lowest < 0 else 0 for each in (first, second, grid)]
    zeros = [each.zero + move for each, move in zip((first, second, grid), shift, strict=True)]
    ratios = [np.float64(each.scale / grid.scale) for each in (first, second)]
    fixed = _fused(zeros[0], ratios[0], np.float32(zeros[1]) * np.float32(ratios[1]))
    inner = _fused(second.numbers + zeros[1], ratios[1], np.float32(zeros[2]) - fixed)
    total = _fused((first.numbers + zeros[0])[:, None], ratios[0], inner)
    return np.clip(np.rint(total).astype(np.int64) - zeros[2], grid.lowest, grid.highest)


def _fused(a: np.ndarray | int, b: np.float64, c: np.ndarray | np.float32) -> np.ndarray:
    """fma(a, b, c) in float32, of an `a` of at most 9 bits."""
    return np.asarray(a * b + np.asarray(c, np.float64)).astype(np.float32)


def pack_bytes(table: np.ndarray, lowest: int) -> np.ndarray:
    """A table of numbers from `lowest` on as uint32 words of four bytes, the first in the lowest."""
    flat = (table.reshape(-1) - lowest).astype(np.uint8)
    return np.pad(flat, (0, -flat.size % 4)).view("<u4").astype(np.uint32)


def rounding(grid: Grid) -> EpilogueStep:
    """The step that rounds a multiple of the scale to `grid`."""
    return EpilogueStep("round", (float(grid.lowest), float(grid.highest)))
