"""Squeeze: removes dimensions of size 1; axes as an attribute (before opset 13) or as an input.

https://onnx.ai/onnx/operators/onnx__Squeeze.html
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
    """Without axes, all dimensions of size 1 go."""
    shape = inputs[0].shape
    axes = integers(node, "axes", 1, constants)
    gone = (
        {i for i, n in enumerate(shape) if n == 1}
        if axes is None
        else {axis_of(node, a, len(shape)) for a in axes}
    )
    require(all(shape[i] == 1 for i in gone), node, "an axis that is not of size 1")
    return [Value(node.outputs[0], tuple(n for i, n in enumerate(shape) if i not in gone), inputs[0].dtype)]


OPERATOR = Operator(
    "Squeeze",
    infer,
    lower,
    fold=folds(infer, np.reshape),
    host=(1,),
    quantized=Quantized.MOVES,
    view=reshaped_view,
)
