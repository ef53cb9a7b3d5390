"""Dropout: the identity at inference; a pass removes it.

https://onnx.ai/onnx/operators/onnx__Dropout.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.operator import Constants, Operator, constant_input, refuse_unless
from desktop.compute.nn.ops.identity import lower


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The mask, where it is asked for, is all true."""
    training = constant_input(node, 2, constants)
    refuse_unless(training is None or not training.any(), node, "training mode")
    mask = [Value(name, inputs[0].shape, "bool") for name in node.outputs[1:]]
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype), *mask]


OPERATOR = Operator("Dropout", infer, lower)
