"""LogSoftmax: the logarithm of Softmax, computed without it.

https://onnx.ai/onnx/operators/onnx__LogSoftmax.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.softmax import add_softmax, rows_of
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, same_as_first
from desktop.compute.nn.lowering.plan import NCHW


def lower(lowering: Lowering, node: Node) -> None:
    """One workgroup a row of the row-major tensor."""
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    rows = rows_of(node, lowering.graph.shape(node.inputs[0]))
    add_softmax(lowering, node, x, result, rows, logarithm=True)


OPERATOR = Operator("LogSoftmax", same_as_first, lower, fold=left_to_the_gpu)
