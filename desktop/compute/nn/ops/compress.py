"""Compress: the parts along an axis that a condition keeps. The condition decides the shape, so it has to be known.

https://onnx.ai/onnx/operators/onnx__Compress.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import pick
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, constant_input, require
from desktop.compute.nn.lowering.plan import NCHW


def _kept(node: Node, size: int, constants: Constants) -> np.ndarray:
    """The indices that stay of an axis of `size`; what the condition does not reach goes."""
    condition = constant_input(node, 1, constants)
    require(
        condition is not None and condition.size <= size, node, "a condition that is longer than its axis"
    )
    assert condition is not None
    return np.flatnonzero(condition)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape with a shorter axis; a vector where no axis is given."""
    shape = inputs[0].shape
    if "axis" not in node.attributes:
        return [Value(node.outputs[0], (_kept(node, math.prod(shape), constants).size,), inputs[0].dtype)]
    axis = axis_of(node, int(node.attributes["axis"]), len(shape))
    count = _kept(node, shape[axis], constants).size
    return [Value(node.outputs[0], (*shape[:axis], count, *shape[axis + 1 :]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A look-up for each element."""
    if "axis" in node.attributes:
        x = source(lowering, node.inputs[0])
        axis = axis_of(node, int(node.attributes["axis"]), len(x.shape))
    else:
        rows = lowering.nchw(node.inputs[0])
        x, axis = replace(rows, shape=(math.prod(rows.shape),)), 0
    kept = _kept(node, x.shape[axis], lowering.graph.constants)
    pick(lowering, node, x, lowering.values.result(node.outputs[0], NCHW), {axis: kept})


OPERATOR = Operator("Compress", infer, lower, host=(1,))
