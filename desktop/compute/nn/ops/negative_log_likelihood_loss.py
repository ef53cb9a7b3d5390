"""NegativeLogLikelihoodLoss: what the logarithms of the labels' probabilities lack.

https://onnx.ai/onnx/operators/onnx__NegativeLogLikelihoodLoss.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.losses import add_loss, infer_loss
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """See `infer_loss`."""
    return [infer_loss(node, inputs)]


def lower(lowering: Lowering, node: Node) -> None:
    """One dispatch."""
    add_loss(lowering, node, lowering.nchw(node.inputs[0]))


OPERATOR = Operator("NegativeLogLikelihoodLoss", infer, lower)
