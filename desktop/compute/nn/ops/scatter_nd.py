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
from desktop.compute.nn.kernels.scatter import NOWHERE, emit_scatter, is_index, reduction
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW, Operand


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
    """A copy and a write for each updated element, or with a reduction a walk through the updates for each element."""
    x, y = source(lowering, node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    dtype = lowering.graph.values[node.inputs[0]].dtype
    indices, updates = lowering.nchw(node.inputs[1]), lowering.nchw(node.inputs[2])
    reduced = reduction(node, dtype)
    if reduced is None:
        copy_box(lowering, node, x, y, y.shape, x.strides, y.strides)
        _write(lowering, node, y, indices, updates)
    else:
        _reduce(lowering, node, x, y, indices, updates, reduced, dtype)


def _write(lowering: Lowering, node: Node, y: Operand, indices: Operand, updates: Operand) -> None:
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


def _reduce(
    lowering: Lowering,
    node: Node,
    x: Operand,
    y: Operand,
    indices: Operand,
    updates: Operand,
    reduced: str,
    dtype: str,
) -> None:
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
