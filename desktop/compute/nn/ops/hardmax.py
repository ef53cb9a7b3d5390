"""Hardmax: 1 at the first largest element of a row, 0 elsewhere.

https://onnx.ai/onnx/operators/onnx__Hardmax.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.kernels.softmax import rows_of
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, same_as_first
from desktop.compute.nn.lowering.plan import NCHW


def lower(lowering: Lowering, node: Node) -> None:
    """Each element looks through its row for one that comes before it."""
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    _, length, inner = rows_of(node, lowering.graph.shape(node.inputs[0]))
    body = [
        f"let mine = at / {inner}u % {length}u;",
        "let own = f32(x[at]);",
        f"let base = at - mine * {inner}u;",
        f"for (var k = 0u; k < {length}u; k++) {{",
        f"  let other = f32(x[base + k * {inner}u]);",
        "  if (nan(other) && (!nan(own) || k < mine)) { return Element(0.0); }",
        "  if (!nan(own) && (other > own || (other == own && k < mine))) { return Element(0.0); }",
        "}",
        "return Element(1.0);",
    ]
    emit(lowering, node, {"x": x}, result, body)


OPERATOR = Operator("Hardmax", same_as_first, lower, fold=left_to_the_gpu)
