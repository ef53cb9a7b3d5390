"""CastLike: the element type of a second tensor; see Cast.

https://onnx.ai/onnx/operators/onnx__CastLike.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.casting import cast_steps, convert
from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type of the second input."""
    return [Value(node.outputs[0], inputs[0].shape, inputs[1].dtype)]


OPERATOR = Operator("CastLike", infer, convert, cast_steps)
