"""Reductions over axes, what is largest, and what is normalized by them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from desktop.compute.nn.ir.fixed_point import Factor
from desktop.compute.nn.ir.grid import Grid
from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.lowering.operator import axis_of, require
from desktop.compute.nn.ops.tflite.spelling import Spelling

_EXACT: Final = 1 << 24
"""Integers up to here are exact in float32."""


def _axes(s: Spelling) -> list[int]:
    rank = len(s.shape(0))
    return sorted({axis_of(s.node, n, rank) for n in s.integers(1)})


def _reduced(s: Spelling, op: str, name: str) -> str:
    """Over the axes of input 1; images channels first, where the transposes around them meet others."""
    axes, keeps = _axes(s), bool(s.option("KeepDims", False))
    if not axes:
        return name
    if axes == [1, 2] and len(s.shape(0)) == 4:
        found = s.add(op, s.first(name), s.int64(2, 3), keepdims=int(keeps))
        return s.last(found) if keeps else found
    return s.add(op, name, s.int64(*axes), keepdims=int(keeps))


def _mean(s: Spelling) -> None:
    _mean_or_sum(s, "ReduceMean", math.prod(s.shape(0)[at] for at in _axes(s)))


def _sum(s: Spelling) -> None:
    _mean_or_sum(s, "ReduceSum", 1)


def _mean_or_sum(s: Spelling, op: str, divisor: int) -> None:
    source, grid = s.grid(0), s.out_grid()
    length = math.prod(s.shape(0)[at] for at in _axes(s))
    require(divisor > 0, s.node, "a mean of nothing")
    exact = s.is_small(source) and s.is_small(grid) and length * 255 < _EXACT
    if not exact or source is None or grid is None:
        if source is None and s.dtype(0) != "float32":
            s.give(_reduced(s, op, s.input(0)))
        else:
            s.give_real(_reduced(s, op, s.real(0)))
        return
    sums = _reduced(s, "ReduceSum", s.integer_input(0))
    if op == "ReduceSum":
        s.give(s.rounded(_scaled_sums(s, sums, source, grid, length), grid, 0))
        return
    factor = _mean_factor(source, grid, divisor)
    bounds = {"lowest": grid.lowest, "highest": grid.highest}
    upper, lower = factor.multiplier >> 16, factor.multiplier & 0xFFFF
    s.give(s.internal("Requantize", sums, upper=upper, lower=lower, shift=factor.shift, **bounds))


def _scaled_sums(s: Spelling, sums: str, source: Grid, grid: Grid, length: int) -> str:
    """Return sums in units of the result's scale, rounded in the order of QuantizedMeanOrSum (for ties)."""
    scale = np.float32(source.scale / grid.scale)
    bias = np.float32(np.float32(-source.zero) * scale) * np.float32(length)
    stored = s.add("Add", sums, s.constant(np.float32(length * source.zero)))
    return s.add("Add", s.add("Mul", stored, s.constant(scale)), s.constant(bias))


def _mean_factor(source: Grid, grid: Grid, divisor: int) -> Factor:
    """Return the scales' ratio over `divisor`, dividing the integer multiplier as integer_ops/mean.h does."""
    factor = Factor.of(float(np.float64(source.scale) / np.float64(grid.scale)))
    shift = min(divisor.bit_length() - 1, 32, 31 + factor.shift)
    return Factor((factor.multiplier << shift) // divisor, factor.shift - shift)


def _extreme(op: str) -> Callable[[Spelling], None]:
    def spell(s: Spelling) -> None:
        s.give(_reduced(s, op, s.moved(0)))

    return spell


def _product(s: Spelling) -> None:
    if s.grid(0) is None:
        s.give(_reduced(s, "ReduceProd", s.input(0)))
    else:
        s.give_real(_reduced(s, "ReduceProd", s.real(0)))


def _best(op: str) -> Callable[[Spelling], None]:
    def spell(s: Spelling) -> None:
        axis = axis_of(s.node, s.integers(1)[0], len(s.shape(0)))
        name = s.integer_input(0) if s.grid(0) is not None else s.input(0)
        found = s.add(op, name, axis=axis, keepdims=0, select_last_index=0)
        s.give(s.add("Cast", found, to=code_of(s.option("dtypes")[0])))

    return spell


def _top_k(s: Spelling) -> None:
    (k,) = s.integers(1)[:1]
    values, indices = s.add_many("TopK", 2, s.moved(0), s.int64(k), axis=-1)
    s.give(values, 0)
    s.give(s.add("Cast", indices, to=code_of("int32")), 1)


def _cumsum(s: Spelling) -> None:
    axis = s.constant(np.int64(s.integers(1)[0]))
    flags: dict[str, Any] = {
        "exclusive": int(bool(s.option("Exclusive"))),
        "reverse": int(bool(s.option("Reverse"))),
    }
    s.give_real(s.add("CumSum", s.real(0), axis, **flags))


def _softmax(s: Spelling) -> None:
    beta, x = float(s.option("Beta", 1.0)), s.real(0)
    scaled = x if beta == 1.0 else s.add("Mul", x, s.constant(beta, "float32"))
    s.give_real(s.add("Softmax", scaled, axis=-1))


def _log_softmax(s: Spelling) -> None:
    s.give_real(s.add("LogSoftmax", s.real(0), axis=-1))


def _l2_normalization(s: Spelling) -> None:
    """Divided by the root of the sum of squares along the last axis, which is at least 1e-6."""
    x = s.real(0)
    squares = s.add("ReduceSumSquare", x, s.int64(len(s.shape(0)) - 1), keepdims=1)
    length = s.add("Sqrt", s.add("Max", squares, s.constant(1e-6, "float32")))
    s.give_real(s.add("Div", x, length), activation=int(s.option("FusedActivationFunction", 0)))


def _local_response(s: Spelling) -> None:
    size = 2 * int(s.option("Radius", 0)) + 1
    numbers: dict[str, Any] = {
        "size": size,
        "alpha": float(s.option("Alpha", 0.0)) * size,
        "beta": float(s.option("Beta", 0.0)),
        "bias": float(s.option("Bias", 0.0)),
    }
    s.give_real(s.last(s.add("LRN", s.first(s.real(0)), **numbers)))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "MEAN": _mean,
    "SUM": _sum,
    "REDUCE_MAX": _extreme("ReduceMax"),
    "REDUCE_MIN": _extreme("ReduceMin"),
    "REDUCE_ANY": _extreme("ReduceMax"),
    "REDUCE_ALL": _extreme("ReduceMin"),
    "REDUCE_PROD": _product,
    "ARG_MAX": _best("ArgMax"),
    "ARG_MIN": _best("ArgMin"),
    "TOPK_V2": _top_k,
    "CUMSUM": _cumsum,
    "SOFTMAX": _softmax,
    "LOG_SOFTMAX": _log_softmax,
    "L2_NORMALIZATION": _l2_normalization,
    "LOCAL_RESPONSE_NORMALIZATION": _local_response,
}
