"""ConstantOfShape: an array of one value.

https://onnx.ai/onnx/operators/onnx__ConstantOfShape.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, require


def _fill(node: Node) -> np.ndarray:
    return np.asarray(node.attributes.get("value", np.zeros(1, np.float32))).reshape(-1)[:1]


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The shape is the input's content."""
    shape = constant_input(node, 0, constants)
    require(shape is not None and bool((shape >= 0).all()), node, "a shape with negative dimensions")
    return [
        Value(node.outputs[0], tuple(int(n) for n in np.asarray(shape).reshape(-1)), _fill(node).dtype.name)
    ]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The filled array. Its size was checked by the caller, from `infer`."""
    fill = _fill(node)
    return [np.full(tuple(int(n) for n in inputs[0].reshape(-1)), fill[0], fill.dtype)]


OPERATOR = Operator("ConstantOfShape", infer, fold=fold, host=(0,))
