"""Range: numbers in equal steps, made when the session is built, because their count is the result's shape.

https://onnx.ai/onnx/operators/onnx__Range.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """max(ceil((limit - start) / delta), 0) numbers of the inputs' type."""
    numbers = []
    for index in range(3):
        array = constant_input(node, index, constants)
        require(array is not None and array.size == 1, node, f"input {index} is not one number")
        assert array is not None
        numbers.append(array.reshape(()).item())
    start, limit, delta = numbers
    require(
        delta != 0 and all(math.isfinite(n) for n in numbers), node, "a step of zero or an infinite range"
    )
    count = max(math.ceil((limit - start) / delta), 0)
    return [Value(node.outputs[0], (count,), inputs[0].dtype)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """start + i * delta, in float64 (or exact integers) before it is rounded to the inputs' type."""
    start, limit, delta = (array.reshape(()).item() for array in inputs)
    count = max(math.ceil((limit - start) / delta), 0)
    return [(start + np.arange(count) * delta).astype(inputs[0].dtype)]


OPERATOR = Operator("Range", infer, fold=fold, host=(0, 1, 2))
