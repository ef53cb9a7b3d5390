"""Tile: the whole tensor repeated along each dimension.

https://onnx.ai/onnx/operators/onnx__Tile.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, integers, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Each dimension times its repeats."""
    shape, repeats = inputs[0].shape, integers(node, "repeats", 1, constants)
    require(
        repeats is not None and len(repeats) == len(shape) and all(n >= 0 for n in repeats),
        node,
        "repeats that do not fit its input",
    )
    assert repeats is not None
    return [
        Value(node.outputs[0], tuple(n * r for n, r in zip(shape, repeats, strict=True)), inputs[0].dtype)
    ]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy of a box with two axes for each dimension: the repeats, along which the input stands still, and the input's own."""
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    box: list[int] = []
    x_strides: list[int] = []
    y_strides: list[int] = []
    for n, whole, x_step, y_step in zip(x.shape, y.shape, x.strides, y.strides, strict=True):
        box += [whole // max(n, 1), n]
        x_strides += [0, x_step]
        y_strides += [n * y_step, y_step]
    copy_box(lowering, node, x, y, box, x_strides, y_strides)


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant."""
    return [np.tile(inputs[0], [int(n) for n in inputs[1]])]


OPERATOR = Operator("Tile", infer, lower, fold=fold, host=(1,))
