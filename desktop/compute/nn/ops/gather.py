"""Gather: of constants (shapes), or a part that is named by one constant index.

https://onnx.ai/onnx/operators/onnx__Gather.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.operator import Constants, Operator, axis_of, constant_input, refuse_unless, require
from desktop.compute.nn.strided import copy_box


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape takes the axis's place."""
    shape = inputs[0].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    indices = constants.get(node.inputs[1])
    inside = indices is None or bool(((indices >= -shape[axis]) & (indices < shape[axis])).all())
    require(inside, node, "an index outside its input")
    return [Value(node.outputs[0], (*shape[:axis], *inputs[1].shape, *shape[axis + 1 :]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy."""
    indices = constant_input(node, 1, lowering.graph.constants)
    refuse_unless(indices is not None and indices.size == 1, node, "more than one index")
    assert indices is not None
    x, y = lowering.any(node.inputs[0]), lowering.movable(node.outputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(x.shape))
    first = int(indices.reshape(())) % x.shape[axis] * x.strides[axis]
    strides = (*x.strides[:axis], *[0] * indices.ndim, *x.strides[axis + 1 :])
    copy_box(lowering, node, x, y, y.shape, strides, y.strides, x_first=first)


OPERATOR = Operator("Gather", infer, lower)
