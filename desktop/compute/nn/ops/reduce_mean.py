"""ReduceMean over the spatial dimensions (a pass makes GlobalAveragePool of it); other axes are refused.

https://onnx.ai/onnx/operators/onnx__ReduceMean.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.operator import Constants, Operator, axis_of, integers


def reduced_axes(node: Node, rank: int, constants: Constants) -> set[int]:
    """The axes, counted from 0; all of them where the node names none."""
    axes = integers(node, "axes", 1, constants)
    if not axes:
        return set() if node.attributes.get("noop_with_empty_axes", 0) else set(range(rank))
    return {axis_of(node, axis, rank) for axis in axes}


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Reduced dimensions are 1 with keepdims, else gone."""
    shape = inputs[0].shape
    axes = reduced_axes(node, len(shape), constants)
    if node.attributes.get("keepdims", 1):
        reduced = tuple(1 if i in axes else n for i, n in enumerate(shape))
    else:
        reduced = tuple(n for i, n in enumerate(shape) if i not in axes)
    return [Value(node.outputs[0], reduced, inputs[0].dtype)]


OPERATOR = Operator("ReduceMean", infer, host=(1,))
