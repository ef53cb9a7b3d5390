"""Trilu: the upper or lower triangle of each matrix, zeros elsewhere.

https://onnx.ai/onnx/operators/onnx__Trilu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import scalar_type
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, constant_input, require, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread."""
    value = lowering.graph.values[node.inputs[0]]
    require(len(value.shape) >= 2, node, "an input that is no matrix")
    rows, columns = value.shape[-2:]
    given = constant_input(node, 1, lowering.graph.constants)
    k = 0 if given is None else max(-(1 << 30), min(int(given.reshape(())), 1 << 30))
    distance = f"i32(at % {max(columns, 1)}u) - i32(at / {max(columns, 1)}u % {max(rows, 1)}u)"
    inside = f"{distance} {'>=' if node.attributes.get('upper', 1) else '<='} {k}"
    expression = f"select({scalar_type(value.dtype)}(0), a, {inside})"
    map_elements(lowering, node, expression, node.inputs[:1], node.outputs[0])


OPERATOR = Operator("Trilu", same_as_first, lower, host=(1,))
