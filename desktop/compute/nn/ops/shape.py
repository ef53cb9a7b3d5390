"""Shape: known when the session is built, so it is always a constant (see `infer_shapes`).

https://onnx.ai/onnx/operators/onnx__Shape.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator


def of(node: Node, shape: Sequence[int]) -> np.ndarray:
    """The dimensions from `start` to `end`."""
    start, end = int(node.attributes.get("start", 0)), node.attributes.get("end")
    return np.array(list(shape)[start : None if end is None else int(end)], np.int64)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A vector of int64."""
    return [Value(node.outputs[0], of(node, inputs[0].shape).shape, "int64")]


def known(node: Node, inputs: Sequence[Value]) -> Sequence[np.ndarray]:
    """The input's shape."""
    return [of(node, inputs[0].shape)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The shape of a constant."""
    return [of(node, inputs[0].shape)]


OPERATOR = Operator("Shape", infer, fold=fold, known=known)
