"""Flatten: to a matrix, split at `axis`.

https://onnx.ai/onnx/operators/onnx__Flatten.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, folds, require, reshaped_view
from desktop.compute.nn.ops.reshape import lower


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(product before the axis, product from it on)."""
    shape = inputs[0].shape
    axis = int(node.attributes.get("axis", 1))
    require(-len(shape) <= axis <= len(shape), node, f"axis {axis} of a tensor with {len(shape)} dimensions")
    axis += len(shape) if axis < 0 else 0
    return [Value(node.outputs[0], (math.prod(shape[:axis]), math.prod(shape[axis:])), inputs[0].dtype)]


OPERATOR = Operator(
    "Flatten", infer, lower, fold=folds(infer, np.reshape), quantized=Quantized.MOVES, view=reshaped_view
)
