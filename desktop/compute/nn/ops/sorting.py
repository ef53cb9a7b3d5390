"""Operators that sort or search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, scalar_type
from desktop.compute.nn.kernels.indexing import address, coordinates, emit
from desktop.compute.nn.kernels.scatter import NOWHERE, emit_scatter
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    axis_of,
    integers,
    needed_input,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, Operand


# NonZero: the indices of what is not zero; as their count is the result's shape, the input must be constant.
def _nonzero(array: np.ndarray) -> np.ndarray:
    """(dimensions, count), as int64; a scalar has no dimensions, though it counts."""
    if not array.ndim:
        return np.zeros((0, int(bool(array))), np.int64)
    return np.stack(np.nonzero(array)).astype(np.int64)


def _infer_non_zero(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A matrix of int64."""
    return [Value(node.outputs[0], _nonzero(needed_input(node, 0, constants)).shape, "int64")]


def _fold_non_zero(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The indices in row-major order."""
    return [_nonzero(inputs[0])]


# TopK: the k largest or smallest elements along an axis, in order, and their indices; k must be constant.

_TILE: Final = 256
"""The smallest tile. A long axis is first thinned out, tile by tile: ranks cost the square of a length."""

_ORDERS: Final = {
    "f32": """fn order(v: f32) -> u32 {
  let bits = bitcast<u32>(v);
  let whole = select(bits, 0u, (bits << 1u) == 0u);
  let place = select(whole | 0x80000000u, ~whole, (whole >> 31u) == 1u);
  return select(place, 0xffffffffu, (bits << 1u) > 0xff000000u);
}""",
    "i32": "fn order(v: i32) -> u32 { return bitcast<u32>(v) ^ 0x80000000u; }",
    "u32": "fn order(v: u32) -> u32 { return v; }",
}
"""WGSL of a key that grows with the value; both zeros have one key, and all NaNs one beyond infinity."""


def _top_k_axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", -1)), rank)


def _infer_top_k(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Values and int64 indices, the axis cut to k."""
    shape = inputs[0].shape
    axis = _top_k_axis(node, len(shape))
    k = (int(node.attributes["k"]),) if "k" in node.attributes else integers(node, "", 1, constants)
    require(
        k is not None and len(k) == 1 and 0 <= k[0] <= shape[axis], node, "a k that does not fit its axis"
    )
    assert k is not None
    cut = (*shape[:axis], k[0], *shape[axis + 1 :])
    dtypes = (inputs[0].dtype, "int64")
    return [Value(name, cut, dtype) for name, dtype in zip(node.outputs, dtypes, strict=False)]


def _lower_top_k(lowering: Lowering, node: Node) -> None:
    """Rank each element by the count of those before it, which gives the indices; then fetch the values."""
    x = source(lowering, node.inputs[0])
    name = next(name for name in node.outputs if name)
    shape = lowering.graph.shape(name)
    axis = _top_k_axis(node, len(shape))
    if len(node.outputs) > 1 and node.outputs[1]:
        indices = lowering.values.result(node.outputs[1], NCHW)
    else:
        indices = Operand(lowering.memory.reserve(math.prod(shape) * 4), shape, "int32", NCHW)
    if math.prod(shape):
        _rank(lowering, node, x, indices, axis)
    if node.outputs[0]:
        y = lowering.values.result(node.outputs[0], NCHW)
        places = [f"c{i}" for i in range(len(shape))]
        places[axis] = "u32(indices[at])"
        body = [*coordinates(shape), f"return Element(x[{address(x, places)}]);"]
        emit(lowering, node, {"x": x, "indices": indices}, y, body)


@dataclass(frozen=True)
class _Stage:
    """One dispatch that keeps the first k of each tile, `tile` candidates that are ranked together.

    Attributes:
        candidates: (rows, count) indices along `axis`; None for all of it.
        place: WGSL expression of where in the result the candidate of `row`, `tile` and `rank` goes.
    """

    axis: int
    candidates: Operand | None
    count: int
    tile: int
    place: str


def _rank(lowering: Lowering, node: Node, x: Operand, indices: Operand, axis: int) -> None:
    """Add the dispatches that fill `indices`."""
    inner = math.prod(x.shape[axis + 1 :])
    rows = math.prod(x.shape[:axis]) * inner
    k, count = indices.shape[axis], x.shape[axis]
    candidates: Operand | None = None
    tile = max(_TILE, 4 * k)
    while count > 2 * tile:
        left = sum(min(k, count - first) for first in range(0, count, tile))
        thinned = Operand(lowering.memory.reserve(rows * left * 4), (rows, left), "int32", NCHW)
        stage = _Stage(axis, candidates, count, tile, f"row * {left}u + tile * {k}u + rank")
        _rank_tiles(lowering, node, x, stage, k, thinned)
        candidates, count = thinned, left
    place = f"(row / {inner}u * {k}u + rank) * {inner}u + row % {inner}u"
    _rank_tiles(lowering, node, x, _Stage(axis, candidates, count, count, place), k, indices)


def _rank_tiles(lowering: Lowering, node: Node, x: Operand, stage: _Stage, k: int, result: Operand) -> None:
    rest = [n for i, n in enumerate(x.shape) if i != stage.axis]
    dtype = lowering.graph.values[node.inputs[0]].dtype
    places = [f"r{i}" for i in range(len(rest))]
    places.insert(stage.axis, "index")
    inverted = "" if int(node.attributes.get("largest", 1)) else "~"
    count, tile = stage.count, stage.tile
    candidate = "j" if stage.candidates is None else f"u32(candidates[row * {count}u + j])"
    code = [
        _ORDERS[scalar_type(dtype)],
        "fn key(row: u32, index: u32) -> u32 {",
        *coordinates(rest, "row", "r"),
        f"return {inverted}order({load('x', address(x, places), dtype)});",
        "}",
        f"fn candidate(row: u32, j: u32) -> u32 {{ return {candidate}; }}",
    ]
    place = [
        f"let row = at / {count}u;",
        f"let tile = at % {count}u / {tile}u;",
        f"let mine = candidate(row, at % {count}u);",
        "let own = key(row, mine);",
        "var rank = 0u;",
        f"for (var step = 0u; step < min({tile}u, {count}u - tile * {tile}u); step++) {{",
        f"  let j = tile * {tile}u + step;",
        "  let index = candidate(row, j);",
        "  let other = key(row, index);",
        "  rank += select(0u, 1u, other > own || (other == own && index < mine));",
        "}",
        f"return select({NOWHERE}, {stage.place}, rank < {k}u);",
    ]
    value = [f"return Element(candidate(at / {count}u, at % {count}u));"]
    reads = {"x": x} if stage.candidates is None else {"x": x, "candidates": stage.candidates}
    items = math.prod(rest) * count
    emit_scatter(lowering, node, reads, result, items, place, value, "\n".join(code))


# Unique: the distinct elements or slices; as their count is the result's shape, the input must be constant.
def _fold_unique(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Return distinct values, first indices, inverse indices and counts, by value or first appearance."""
    x = inputs[0]
    axis = node.attributes.get("axis")
    if axis is None:
        x, at = x.reshape(-1), 0
    else:
        at = axis_of(node, int(axis), x.ndim)
    _, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=at
    )
    order = np.arange(first.size) if int(node.attributes.get("sorted", 1)) else np.argsort(first)
    place = np.argsort(order)
    first = first[order]
    results = (np.take(x, first, axis=at), first, place[inverse.reshape(-1)], counts[order])
    return [array if i == 0 else array.astype(np.int64) for i, array in enumerate(results)]


def _infer_unique(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The shapes of what `fold` finds."""
    arrays = _fold_unique(node, [needed_input(node, 0, constants)])
    return [
        Value(name, array.shape, array.dtype.name) for name, array in zip(node.outputs, arrays, strict=False)
    ]


OPERATORS: Final = (
    Operator("NonZero", _infer_non_zero, fold=_fold_non_zero, host=(0,)),
    Operator("TopK", _infer_top_k, _lower_top_k, host=(1,)),
    Operator("Unique", _infer_unique, fold=_fold_unique, host=(0,)),
)
