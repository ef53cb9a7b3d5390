"""Dropout: the identity at inference; a pass removes it.

https://onnx.ai/onnx/operators/onnx__Dropout.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, refuse_unless
from desktop.compute.nn.ops.identity import lower as copy


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The mask, where it is asked for, is all true."""
    training, ratio = constant_input(node, 2, constants), constant_input(node, 1, constants)
    keeps_all = training is None or not training.any() or (ratio is not None and not ratio.any())
    refuse_unless(keeps_all, node, "training mode")
    mask = [Value(name, inputs[0].shape, "bool") for name in node.outputs[1:]]
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype), *mask]


def lower(lowering: Lowering, node: Node) -> None:
    """A copy; the mask is all true."""
    copy(lowering, node)
    if node.outputs[1:] and node.outputs[1]:
        map_elements(lowering, node, "true", [], node.outputs[1])


OPERATOR = Operator("Dropout", infer, lower, host=(1, 2), identity=True)
