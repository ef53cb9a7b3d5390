"""Det: the determinants of square matrices in the last two dimensions.

https://onnx.ai/onnx/operators/onnx__Det.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW

_LARGEST = 32


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The dimensions before the matrices."""
    shape = inputs[0].shape
    require(len(shape) >= 2 and shape[-1] == shape[-2], node, f"matrices of shape {shape[-2:]}")
    return [Value(node.outputs[0], shape[:-2], inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A thread a matrix: Gauss's elimination with the largest pivot of each column."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    n = x.shape[-1]
    refuse_unless(0 < n <= _LARGEST, node, f"matrices of {n} rows")
    body = [
        f"var a: array<f32, {n * n}>;",
        f"for (var i = 0u; i < {n * n}u; i++) {{ a[i] = f32(x[at * {n * n}u + i]); }}",
        "var found = 1.0;",
        f"for (var k = 0u; k < {n}u; k++) {{",
        "  var pivot = k;",
        f"  for (var i = k + 1u; i < {n}u; i++) {{",
        f"    if (abs(a[i * {n}u + k]) > abs(a[pivot * {n}u + k])) {{ pivot = i; }}",
        "  }",
        f"  let top = a[pivot * {n}u + k];",
        "  if (top == 0.0) { return Element(0.0); }",
        "  found *= select(-top, top, pivot == k);",
        f"  for (var j = k; j < {n}u; j++) {{",
        f"    let upper = a[pivot * {n}u + j];",
        f"    a[pivot * {n}u + j] = a[k * {n}u + j];",
        f"    a[k * {n}u + j] = upper;",
        "  }",
        f"  for (var i = k + 1u; i < {n}u; i++) {{",
        f"    let factor = a[i * {n}u + k] / top;",
        f"    for (var j = k; j < {n}u; j++) {{ a[i * {n}u + j] -= factor * a[k * {n}u + j]; }}",
        "  }",
        "}",
        "return Element(found);",
    ]
    emit(lowering, node, {"x": x}, y, body)


OPERATOR = Operator("Det", infer, lower)
