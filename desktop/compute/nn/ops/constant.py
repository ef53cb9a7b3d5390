"""Constant: an array in an attribute.

https://onnx.ai/onnx/operators/onnx__Constant.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless


def _array(node: Node) -> np.ndarray:
    kinds = {
        "value_float": np.float32,
        "value_floats": np.float32,
        "value_int": np.int64,
        "value_ints": np.int64,
    }
    for name, dtype in kinds.items():
        if name in node.attributes:
            return np.asarray(node.attributes[name], dtype)
    value = node.attributes.get("value")
    refuse_unless(isinstance(value, np.ndarray), node, "a sparse or text constant")
    return np.asarray(value)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The array's shape and type."""
    array = _array(node)
    return [Value(node.outputs[0], array.shape, array.dtype.name)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The array."""
    return [_array(node)]


OPERATOR = Operator("Constant", infer, fold=fold)
