"""Transpose: dimensions in another order.

https://onnx.ai/onnx/operators/onnx__Transpose.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, require


def order_of(node: Node, rank: int) -> list[int]:
    """The permutation."""
    order = [int(n) for n in node.attributes.get("perm") or range(rank - 1, -1, -1)]
    require(sorted(order) == list(range(rank)), node, f"perm {order} of a tensor with {rank} dimensions")
    return order


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Dimension i is the input's perm[i]."""
    shape = inputs[0].shape
    return [Value(node.outputs[0], tuple(shape[i] for i in order_of(node, len(shape))), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy; no work where the bytes lie in a layout already: where only dimensions of size 1 change places, or channels go
    last or first."""
    shape = lowering.graph.shape(node.inputs[0])
    order = [axis for axis in order_of(node, len(shape)) if shape[axis] != 1]
    if order == sorted(order):
        lowering.view(node.inputs[0], node.outputs[0])
        return
    if lowering.values.turned(node.outputs[0], node.inputs[0], order_of(node, len(shape))):
        return
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    strides = x.strides
    copy_box(lowering, node, x, y, y.shape, [strides[i] for i in order_of(node, len(x.shape))], y.strides)


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant; the same memory, of which a large network has no room for copies."""
    return [inputs[0].transpose(order_of(node, inputs[0].ndim))]


def view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """The same axes in another order."""
    return seen.transposed(order_of(node, len(graph.shape(name))))


OPERATOR = Operator("Transpose", infer, lower, fold=fold, quantized=Quantized.MOVES, view=view)
