"""Unique: the distinct elements or slices. Their count is the result's shape, so the input has to be known when the session is built.

https://onnx.ai/onnx/operators/onnx__Unique.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, constant_input, require


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Distinct values, first indices, the place of each input among them, counts; in order of value or of first appearance."""
    x = inputs[0]
    axis = node.attributes.get("axis")
    if axis is None:
        x, at = x.reshape(-1), 0
    else:
        at = axis_of(node, int(axis), x.ndim)
    _, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=at
    )
    order = np.arange(first.size) if int(node.attributes.get("sorted", 1)) else np.argsort(first)
    place = np.argsort(order)
    first = first[order]
    results = (np.take(x, first, axis=at), first, place[inverse.reshape(-1)], counts[order])
    return [array if i == 0 else array.astype(np.int64) for i, array in enumerate(results)]


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The shapes of what `fold` finds."""
    array = constant_input(node, 0, constants)
    require(array is not None, node, "no input")
    assert array is not None
    arrays = fold(node, [array])
    return [
        Value(name, array.shape, array.dtype.name) for name, array in zip(node.outputs, arrays, strict=False)
    ]


OPERATOR = Operator("Unique", infer, fold=fold, host=(0,))
