"""Split along an axis; the sizes as an attribute (before opset 13), as an input, or equal.

https://onnx.ai/onnx/operators/onnx__Split.html
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.operator import Constants, Operator, axis_of, integers, require
from desktop.compute.nn.strided import copy_box


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Equal parts, the last one smaller, where no sizes are given."""
    shape = inputs[0].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    sizes = integers(node, "split", 1, constants)
    if sizes is None:
        each = -(-shape[axis] // len(node.outputs))
        sizes = tuple(min(each, shape[axis] - i * each) for i in range(len(node.outputs)))
    require(len(sizes) == len(node.outputs) and sum(sizes) == shape[axis], node, "sizes that do not add up")
    return [
        Value(name, (*shape[:axis], size, *shape[axis + 1 :]), inputs[0].dtype)
        for name, size in zip(node.outputs, sizes, strict=True)
    ]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy for each output that is read."""
    x = lowering.any(node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(x.shape))
    sizes = [lowering.graph.shape(name)[axis] for name in node.outputs]
    for name, first in zip(node.outputs, accumulate(sizes, initial=0), strict=False):
        y = lowering.movable(name)
        copy_box(lowering, node, x, y, y.shape, x.strides, y.strides, x_first=first * x.strides[axis])


OPERATOR = Operator("Split", infer, lower, host=(1,))
