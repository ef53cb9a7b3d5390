"""SoftmaxCrossEntropyLoss: LogSoftmax over the classes, then NegativeLogLikelihoodLoss; its second output is the former.

https://onnx.ai/onnx/operators/onnx__SoftmaxCrossEntropyLoss.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.losses import add_loss, infer_loss
from desktop.compute.nn.kernels.softmax import add_softmax
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator
from desktop.compute.nn.lowering.plan import NCHW, Operand


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The loss, and the logarithms of the probabilities, shaped like the scores."""
    scores = [Value(name, inputs[0].shape, inputs[0].dtype) for name in node.outputs[1:]]
    return [infer_loss(node, inputs), *scores]


def lower(lowering: Lowering, node: Node) -> None:
    """Two dispatches."""
    x = lowering.nchw(node.inputs[0])
    if any(node.outputs[1:]):
        scores = lowering.values.result(node.outputs[1], NCHW)
    else:
        scores = Operand(lowering.memory.reserve(math.prod(x.shape) * 4), x.shape, "float32", NCHW)
    rows = (x.shape[0], x.shape[1], math.prod(x.shape[2:]))
    add_softmax(lowering, node, x, scores, rows, logarithm=True)
    add_loss(lowering, node, scores)


OPERATOR = Operator("SoftmaxCrossEntropyLoss", infer, lower)
