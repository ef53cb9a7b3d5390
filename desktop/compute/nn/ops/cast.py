"""Cast: another element type, as NumPy and ONNX Runtime convert: towards zero from floats, by the low bits between integers.

https://onnx.ai/onnx/operators/onnx__Cast.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.casting import convert
from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.onnx_types import dtype_name
from desktop.compute.nn.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type that `to` names."""
    return [Value(node.outputs[0], inputs[0].shape, dtype_name(int(node.attributes["to"])))]


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread."""
    convert(lowering, node, node.inputs[0], node.outputs[0])


OPERATOR = Operator("Cast", infer, lower)
