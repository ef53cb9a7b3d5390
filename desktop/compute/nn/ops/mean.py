"""Mean: the element-wise mean of any number of tensors, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Mean.html
"""

from __future__ import annotations

from desktop.compute.nn.graph import Node
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.mapping import fold_left, map_elements
from desktop.compute.nn.operator import Operator, broadcast


def lower(lowering: Lowering, node: Node) -> None:
    """The sum, divided."""
    expression = f"({fold_left(node, '{a} + {b}')}) / {len(node.inputs)}.0"
    map_elements(lowering, node, expression, node.inputs, node.outputs[0])


OPERATOR = Operator("Mean", broadcast, lower)
