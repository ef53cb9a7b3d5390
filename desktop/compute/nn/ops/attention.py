"""Attention: matrix products around a masked softmax, with grouped heads and a cache of keys and values, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__Attention.html
"""

from __future__ import annotations

import math

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.schema_function import by_function
from desktop.compute.nn.lowering.operator import Operator, Shapes


def multiply_adds(node: Node, shape: Shapes) -> int:
    """Both products of matrices."""
    query, result = math.prod(shape(node.inputs[0])), math.prod(shape(node.outputs[0]))
    keys = shape(node.inputs[1])[-2]
    if node.input(4):
        keys += shape(node.inputs[4])[-2]
    return (query + result) * keys


OPERATOR = Operator("Attention", expands, expand=by_function, multiply_adds=multiply_adds)
