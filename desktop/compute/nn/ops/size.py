"""Size: the number of elements, known when the session is built.

https://onnx.ai/onnx/operators/onnx__Size.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A scalar of int64."""
    return [Value(node.outputs[0], (), "int64")]


def known(node: Node, inputs: Sequence[Value]) -> Sequence[np.ndarray]:
    """The product of the input's dimensions."""
    return [np.array(math.prod(inputs[0].shape), np.int64)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The size of a constant."""
    return [np.array(inputs[0].size, np.int64)]


OPERATOR = Operator("Size", infer, fold=fold, known=known)
