"""CastLike: the element type of a second tensor; see Cast.

https://onnx.ai/onnx/operators/onnx__CastLike.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.casting import convert
from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type of the second input."""
    return [Value(node.outputs[0], inputs[0].shape, inputs[1].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread."""
    convert(lowering, node, node.inputs[0], node.outputs[0])


OPERATOR = Operator("CastLike", infer, lower)
