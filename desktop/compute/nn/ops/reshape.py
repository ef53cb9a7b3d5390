"""Reshape: the same row-major bytes with another shape.

https://onnx.ai/onnx/operators/onnx__Reshape.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    folds,
    integers,
    require,
    reshaped_view,
)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """0 copies a dimension (unless allowzero), -1 takes what is left."""
    wanted = list(integers(node, "shape", 1, constants) or ())
    source = inputs[0].shape
    if not node.attributes.get("allowzero", 0):
        require(
            all(n != 0 or i < len(source) for i, n in enumerate(wanted)),
            node,
            "a zero past the input's dimensions",
        )
        wanted = [source[i] if n == 0 else n for i, n in enumerate(wanted)]
    require(wanted.count(-1) <= 1 and all(n >= -1 for n in wanted), node, "a negative dimension")
    if -1 in wanted:
        known = math.prod(n for n in wanted if n != -1)
        require(known > 0 and inputs[0].size % known == 0, node, "a shape that does not hold the input")
        wanted[wanted.index(-1)] = inputs[0].size // known
    require(math.prod(wanted) == inputs[0].size, node, "a shape that does not hold the input")
    return [Value(node.outputs[0], tuple(wanted), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """No work where the bytes lie row-major already."""
    lowering.view(node.inputs[0], node.outputs[0])


OPERATOR = Operator(
    "Reshape",
    infer,
    lower,
    fold=folds(infer, np.reshape),
    host=(1,),
    quantized=Quantized.MOVES,
    view=reshaped_view,
)
