"""Unsqueeze: inserts dimensions of size 1; axes as an attribute (before opset 13) or as an input.

https://onnx.ai/onnx/operators/onnx__Unsqueeze.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    axis_of,
    folds,
    integers,
    require,
    reshaped_view,
)
from desktop.compute.nn.ops.reshape import lower


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Axes count in the output."""
    axes = integers(node, "axes", 1, constants) or ()
    rank = len(inputs[0].shape) + len(axes)
    inserted = {axis_of(node, axis, rank) for axis in axes}
    require(len(inserted) == len(axes), node, "an axis given twice")
    rest = iter(inputs[0].shape)
    shape = tuple(1 if i in inserted else next(rest) for i in range(rank))
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


OPERATOR = Operator(
    "Unsqueeze",
    infer,
    lower,
    fold=folds(infer, np.reshape),
    host=(1,),
    quantized=Quantized.MOVES,
    view=reshaped_view,
)
