"""MatMul of a matrix by a constant matrix.

https://onnx.ai/onnx/operators/onnx__MatMul.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.matrix import convolve
from desktop.compute.nn.operator import Constants, Operator, constant_input, refuse_unless, require
from desktop.compute.nn.ops.gemm import POINTWISE


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(M, N)."""
    a, b = inputs[0].shape, inputs[1].shape
    refuse_unless(len(a) == 2 and len(b) == 2, node, "inputs that are not matrices")
    require(a[1] == b[0], node, "matrices that do not fit each other")
    return [Value(node.outputs[0], (a[0], b[1]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A 1x1 convolution with one pixel a row."""
    b = constant_input(node, 1, lowering.graph.constants)
    assert b is not None
    x = lowering.channels_last(node.inputs[0])
    convolve(lowering, node, x, lowering.result(node.outputs[0]), POINTWISE, b.T[:, :, None, None], None)


OPERATOR = Operator("MatMul", infer, lower, fuses=True)
