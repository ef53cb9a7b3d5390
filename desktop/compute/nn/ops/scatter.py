"""Operators that write by index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, scalar_type, store
from desktop.compute.nn.kernels.indexing import (
    WRAP,
    address,
    coordinates,
    emit,
    require_indices,
    slice_address,
)
from desktop.compute.nn.kernels.scatter import (
    NOWHERE,
    Scattered,
    emit_scatter,
    is_index,
    lower_scatter,
    reduction,
)
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, require
from desktop.compute.nn.lowering.plan import NCHW

# ScatterElements: the input with the updates at the places that the indices name along an axis.

_JOINED: Final = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def _axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", 0)), rank)


def _infer_scatter_elements(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    require_indices(node, inputs[1])
    require(inputs[2].dtype == inputs[0].dtype, node, "updates of another type than its input's")
    shape, indices, updates = (value.shape for value in inputs)
    axis = _axis(node, len(shape))
    fits = len(indices) == len(shape) and all(
        a <= b for i, (a, b) in enumerate(zip(indices, shape, strict=True)) if i != axis
    )
    require(fits and indices == updates, node, "indices or updates that do not fit its input")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_scatter_elements(lowering: Lowering, node: Node) -> None:
    """See `lower_scatter`."""
    lower_scatter(lowering, node, _write_scatter_elements, _reduce_scatter_elements)


def _write_scatter_elements(lowering: Lowering, node: Node, scattered: Scattered) -> None:
    y, indices, updates = scattered.y, scattered.indices, scattered.updates
    axis = _axis(node, len(y.shape))
    size = y.shape[axis]
    places = [f"c{i}" for i in range(len(y.shape))]
    places[axis] = "u32(index)"
    place = [
        f"let index = select(indices[at], indices[at] + {size}, indices[at] < 0);",
        f"if (index < 0 || index >= {size}) {{ return {NOWHERE}; }}",
        *coordinates(indices.shape),
        f"return {address(y, places)};",
    ]
    reads = {"indices": indices, "updates": updates}
    emit_scatter(lowering, node, reads, y, math.prod(indices.shape), place, ["return Element(updates[at]);"])


def _reduce_scatter_elements(lowering: Lowering, node: Node, scattered: Scattered, reduced: str) -> None:
    x, y, indices, updates = scattered.x, scattered.y, scattered.indices, scattered.updates
    dtype = scattered.dtype
    axis = _axis(node, len(y.shape))
    places = [f"c{i}" for i in range(len(y.shape))]
    within = [f"c{i} < {n}u" for i, n in enumerate(indices.shape) if i != axis and n < y.shape[i]]
    body = [
        *coordinates(y.shape),
        f"var a: {scalar_type(dtype)} = {load('x', address(x, places), dtype)};",
        f"if ({' && '.join(within) or 'true'}) {{",
        f"  for (var k = 0u; k < {indices.shape[axis]}u; k++) {{",
        f"    let from_at = {address(indices, [*places[:axis], 'k', *places[axis + 1 :]])};",
        f"    if {is_index('indices[from_at]', f'c{axis}', y.shape[axis])} {{",
        f"      let b = {load('updates', 'from_at', dtype)};",
        f"      a = {reduced};",
        "    }",
        "  }",
        "}",
        f"return {store('a', dtype)};",
    ]
    emit(lowering, node, {"x": x, "indices": indices, "updates": updates}, y, body)


def _fold_scatter_elements(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray] | None:
    """Fold if all indices are inside; max with NaN is NaN, in either order, unlike in onnx's reference."""
    x, indices, updates = inputs
    reduction(node, x.dtype.name)  # checks it
    axis = _axis(node, x.ndim)
    size = x.shape[axis]
    if not ((-size <= indices) & (indices < size)).all():
        return None
    found = x.copy()
    places: list[np.ndarray] = list(np.indices(indices.shape))
    places[axis] = indices
    join = _JOINED.get(node.attributes.get("reduction", "none"))
    if join is None:
        found[tuple(places)] = updates
    else:
        with np.errstate(all="ignore"):
            join.at(found, tuple(places), updates)
    return [found]


# ScatterND: the input with updated slices, each at the place that a tuple of indices names.
def _infer_scatter_nd(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    require_indices(node, inputs[1])
    require(inputs[2].dtype == inputs[0].dtype, node, "updates of another type than its input's")
    shape, indices, updates = (value.shape for value in inputs)
    require(0 < indices[-1] <= len(shape), node, "tuples of more indices than its input has dimensions")
    require(
        updates == (*indices[:-1], *shape[indices[-1] :]), node, "updates that do not fit input and indices"
    )
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_scatter_nd(lowering: Lowering, node: Node) -> None:
    """See `lower_scatter`."""
    lower_scatter(lowering, node, _write_scatter_nd, _reduce_scatter_nd)


def _write_scatter_nd(lowering: Lowering, node: Node, scattered: Scattered) -> None:
    y, indices, updates = scattered.y, scattered.indices, scattered.updates
    depth = indices.shape[-1]
    inner = math.prod(y.shape[depth:])
    outside = " || ".join(
        f"outside(indices[tuple * {depth}u + {i}u], {y.shape[i]})" for i in range(depth)
    )  # fmt: skip
    place = [
        f"let tuple = at / {inner}u;",
        f"if ({outside}) {{ return {NOWHERE}; }}",
        f"return {slice_address('tuple', y.shape, depth)} + at % {inner}u;",
    ]
    code = f"{WRAP}\nfn outside(index: i32, size: i32) -> bool {{ return index < -size || index >= size; }}"
    reads = {"indices": indices, "updates": updates}
    count = math.prod(updates.shape)
    emit_scatter(lowering, node, reads, y, count, place, ["return Element(updates[at]);"], code)


def _reduce_scatter_nd(lowering: Lowering, node: Node, scattered: Scattered, reduced: str) -> None:
    x, y, indices, updates = scattered.x, scattered.y, scattered.indices, scattered.updates
    dtype = scattered.dtype
    depth = indices.shape[-1]
    named = " && ".join(is_index(f"indices[k * {depth}u + {i}u]", f"c{i}", y.shape[i]) for i in range(depth))
    inner = math.prod(y.shape[depth:])
    body = [
        *coordinates(y.shape),
        f"var a: {scalar_type(dtype)} = "
        f"{load('x', address(x, [f'c{i}' for i in range(len(y.shape))]), dtype)};",
        f"for (var k = 0u; k < {math.prod(indices.shape[:-1])}u; k++) {{",
        f"  if ({named}) {{",
        f"    let b = {load('updates', f'k * {inner}u + at % {inner}u', dtype)};",
        f"    a = {reduced};",
        "  }",
        "}",
        f"return {store('a', dtype)};",
    ]
    emit(lowering, node, {"x": x, "indices": indices, "updates": updates}, y, body)


# TensorScatter: writes new entries into a cache of keys or values, from an index that each batch has.
def _cache_axis(node: Node, rank: int) -> int:
    axis = axis_of(node, int(node.attributes.get("axis", -2)), rank)
    require(axis > 0, node, "the batch as its axis")
    return axis


def _infer_tensor_scatter(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The cache's shape."""
    shape, update = inputs[0].shape, inputs[1].shape
    axis = _cache_axis(node, len(shape))
    fits = len(update) == len(shape) and all(
        a == b if i != axis else a <= b for i, (a, b) in enumerate(zip(update, shape, strict=True))
    )
    require(fits, node, "an update that does not fit its cache")
    require(inputs[1].dtype == inputs[0].dtype, node, "an update of another type than its cache's")
    if node.input(2):
        require_indices(node, inputs[2])
        require(inputs[2].shape == shape[:1], node, "write indices that do not fit its cache")
    require(node.attributes.get("mode", "linear") in ("linear", "circular"), node, "an unknown mode")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_tensor_scatter(lowering: Lowering, node: Node) -> None:
    """Each element is the cache's, or the update's where its place along the axis lies in what is written."""
    x, update = source(lowering, node.inputs[0]), source(lowering, node.inputs[1])
    y = lowering.values.result(node.outputs[0], NCHW)
    axis = _cache_axis(node, len(x.shape))
    size = x.shape[axis]
    places = [f"c{i}" for i in range(len(x.shape))]
    reads, first = {"x": x, "fresh": update}, "0"
    if node.input(2):
        reads["indices"], first = lowering.nchw(node.inputs[2]), "indices[c0]"
    body = [*coordinates(y.shape), f"var place = i32(c{axis}) - {first};"]
    if node.attributes.get("mode", "linear") == "circular":
        body.append(f"place = place + select(0, {size}, place < 0);")
    chosen = [*places[:axis], "u32(place)", *places[axis + 1 :]]
    body += [
        f"if (place >= 0 && place < {update.shape[axis]}) {{",
        f"  return Element(fresh[{address(update, chosen)}]);",
        "}",
        f"return Element(x[{address(x, places)}]);",
    ]
    emit(lowering, node, reads, y, body)


OPERATORS: Final = (
    Operator(
        "ScatterElements",
        _infer_scatter_elements,
        _lower_scatter_elements,
        fold=_fold_scatter_elements,
        carries=True,
    ),
    # Scatter: the former name of ScatterElements, until opset 10.
    Operator("Scatter", _infer_scatter_elements, _lower_scatter_elements),
    Operator("ScatterND", _infer_scatter_nd, _lower_scatter_nd, carries=True),
    Operator("TensorScatter", _infer_tensor_scatter, _lower_tensor_scatter),
)
