"""AveragePool in one and two dimensions.

https://onnx.ai/onnx/operators/onnx__AveragePool.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.operator import Constants, Operator
from desktop.compute.nn.ops.max_pool import lower_pool
from desktop.compute.nn.window import window


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, spatial...)."""
    x = inputs[0].shape
    found = window(node, x, node.attributes.get("kernel_shape", ()))
    return [Value(node.outputs[0], (*x[:2], *found.output[4 - len(x) :]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """The mean of each window; padding counts only with count_include_pad."""
    lower_pool(lowering, node, average=True)


OPERATOR = Operator("AveragePool", infer, lower, fuses=True)
