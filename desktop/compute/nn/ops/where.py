"""ONNX Where: elements of one of two tensors, selected by a condition, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Where.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.elementwise import mapped
from desktop.compute.nn.lowering.operator import Constants, Operator, broadcast


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Infer the output: the type of both tensors, the broadcast shape of all three."""
    (value,) = broadcast(node, inputs, constants)
    return [Value(value.name, value.shape, inputs[1].dtype)]


OPERATOR = Operator("Where", infer, mapped("select(c, b, a)"), carries=True)
