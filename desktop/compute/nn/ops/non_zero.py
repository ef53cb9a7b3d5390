"""NonZero: the indices of what is not zero. Their count is the result's shape, so the input has to be known when the session is built.

https://onnx.ai/onnx/operators/onnx__NonZero.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, require


def _found(array: np.ndarray) -> np.ndarray:
    """(dimensions, count), as int64; a scalar has no dimensions, though it counts."""
    if not array.ndim:
        return np.zeros((0, int(bool(array))), np.int64)
    return np.stack(np.nonzero(array)).astype(np.int64)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A matrix of int64."""
    array = constant_input(node, 0, constants)
    require(array is not None, node, "no input")
    assert array is not None
    return [Value(node.outputs[0], _found(array).shape, "int64")]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The indices in row-major order."""
    return [_found(inputs[0])]


OPERATOR = Operator("NonZero", infer, fold=fold, host=(0,))
