"""Split along an axis; the sizes as an attribute (before opset 13), as an input, or equal.

https://onnx.ai/onnx/operators/onnx__Split.html
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, axis_of, integers, require


def _sizes(node: Node, size: int, constants: Constants) -> tuple[int, ...]:
    """What each output gets of an axis of `size`: equal parts, the last ones smaller, where nothing is given."""
    parts = len(node.outputs)
    sizes = integers(node, "split", 1, constants)
    if sizes is None:
        require(
            int(node.attributes.get("num_outputs", parts)) == parts, node, "num_outputs is another number"
        )
        each = -(-size // parts)
        sizes = tuple(min(each, max(size - i * each, 0)) for i in range(parts))
    require(len(sizes) == parts and min(sizes) >= 0 and sum(sizes) == size, node, "sizes that do not add up")
    return sizes


def _axis(node: Node, shape: Sequence[int]) -> int:
    return axis_of(node, int(node.attributes.get("axis", 0)), len(shape))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape with the axis cut."""
    shape = inputs[0].shape
    axis = _axis(node, shape)
    return [
        Value(name, (*shape[:axis], size, *shape[axis + 1 :]), inputs[0].dtype)
        for name, size in zip(node.outputs, _sizes(node, shape[axis], constants), strict=True)
    ]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy for each output that is read and is no part of the channels that can stay where it lies."""
    x = source(lowering, node.inputs[0])
    axis = _axis(node, x.shape)
    sizes = _sizes(node, x.shape[axis], lowering.graph.constants)
    for name, first in zip(node.outputs, accumulate(sizes, initial=0), strict=False):
        if name and not (axis == 1 and lowering.values.part(x, name, first)):
            y = lowering.values.movable(name)
            copy_box(lowering, node, x, y, y.shape, x.strides, y.strides, x_first=first * x.strides[axis])


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant."""
    axis = _axis(node, inputs[0].shape)
    sizes = _sizes(node, inputs[0].shape[axis], dict(zip(node.inputs, inputs, strict=True)))
    return np.split(inputs[0], list(accumulate(sizes))[:-1], axis)


def view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """The part that output `name` is; unknown where one before it is left out, and with it its size."""
    axis = int(node.attributes.get("axis", 0)) % len(seen.axes)
    before = node.outputs[: node.outputs.index(name)]
    if not all(before):
        return None
    return seen.cut(axis, sum(graph.shape(each)[axis] for each in before), graph.shape(name)[axis])


OPERATOR = Operator("Split", infer, lower, fold=fold, host=(1,), quantized=Quantized.MOVES, view=view)
