"""ScatterND: the input with updated slices, each at the place that a tuple of indices names.

https://onnx.ai/onnx/operators/onnx__ScatterND.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
)
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    require_indices(node, inputs[1])
    require(inputs[2].dtype == inputs[0].dtype, node, "updates of another type than its input's")
    shape, indices, updates = (value.shape for value in inputs)
    require(0 < indices[-1] <= len(shape), node, "tuples of more indices than its input has dimensions")
    require(
        updates == (*indices[:-1], *shape[indices[-1] :]), node, "updates that do not fit input and indices"
    )
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """See `lower_scatter`."""
    lower_scatter(lowering, node, _write, _reduce)


def _write(lowering: Lowering, node: Node, scattered: Scattered) -> None:
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


def _reduce(lowering: Lowering, node: Node, scattered: Scattered, reduced: str) -> None:
    x, y, indices, updates = scattered.x, scattered.y, scattered.indices, scattered.updates
    dtype = scattered.dtype
    depth = indices.shape[-1]
    named = " && ".join(is_index(f"indices[k * {depth}u + {i}u]", f"c{i}", y.shape[i]) for i in range(depth))
    inner = math.prod(y.shape[depth:])
    body = [
        *coordinates(y.shape),
        f"var a: {scalar_type(dtype)} = {load('x', address(x, [f'c{i}' for i in range(len(y.shape))]), dtype)};",
        f"for (var k = 0u; k < {math.prod(indices.shape[:-1])}u; k++) {{",
        f"  if ({named}) {{",
        f"    let b = {load('updates', f'k * {inner}u + at % {inner}u', dtype)};",
        f"    a = {reduced};",
        "  }",
        "}",
        f"return {store('a', dtype)};",
    ]
    emit(lowering, node, {"x": x, "indices": indices, "updates": updates}, y, body)


OPERATOR = Operator("ScatterND", infer, lower, carries=True)
