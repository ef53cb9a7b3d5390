"""Gemm: alpha * A' * B' + beta * C, with B and C constant: a fully connected layer.

https://onnx.ai/onnx/operators/onnx__Gemm.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.matrix import convolve
from desktop.compute.nn.operator import Constants, Operator, constant_input, refuse_unless, require
from desktop.compute.nn.window import Window

POINTWISE = Window((1, 1), (1, 1), (1, 1), (0, 0), (0, 0), (1, 1), (1, 1))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(M, N)."""
    require(len(inputs[0].shape) == 2 and len(inputs[1].shape) == 2, node, "inputs that are not matrices")
    a = inputs[0].shape[::-1] if node.attributes.get("transA", 0) else inputs[0].shape
    b = inputs[1].shape[::-1] if node.attributes.get("transB", 0) else inputs[1].shape
    require(a[1] == b[0], node, "matrices that do not fit each other")
    return [Value(node.outputs[0], (a[0], b[1]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A 1x1 convolution with one pixel a row."""
    constants = lowering.graph.constants
    refuse_unless(not node.attributes.get("transA", 0), node, "a transposed input")
    b, c = constant_input(node, 1, constants), constant_input(node, 2, constants)
    assert b is not None
    matrix = (b if node.attributes.get("transB", 0) else b.T) * np.asarray(
        node.attributes.get("alpha", 1.0), b.dtype
    )
    bias = None
    if c is not None:
        refuse_unless(
            c.size in (1, matrix.shape[0]) and c.size == c.shape[-1] if c.ndim else True,
            node,
            "a bias that differs by row",
        )
        bias = np.broadcast_to(c.reshape(-1), (matrix.shape[0],)) * float(node.attributes.get("beta", 1.0))
    x = lowering.channels_last(node.inputs[0])
    convolve(lowering, node, x, lowering.result(node.outputs[0]), POINTWISE, matrix[:, :, None, None], bias)


OPERATOR = Operator("Gemm", infer, lower, fuses=True)
