"""MeanVarianceNormalization: mean 0 and variance 1 over axes, by default all but the channels.

https://onnx.ai/onnx/operators/onnx__MeanVarianceNormalization.html
"""

from __future__ import annotations

import math

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.normalization import Normalization, normalize
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, axis_of, left_to_the_gpu, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """A workgroup a channel. The specification adds 1e-9 to the deviation, not to the variance."""
    shape = lowering.graph.shape(node.inputs[0])
    axes = frozenset(axis_of(node, int(a), len(shape)) for a in node.attributes.get("axes", (0, 2, 3)))
    length = math.prod(shape[i] for i in axes)
    factor = f"1.0 / (sqrt(v / {float(length)}) + 1e-9)"
    normalize(lowering, node, Normalization(shape, axes, True, "v * v", factor))


OPERATOR = Operator("MeanVarianceNormalization", same_as_first, lower, fold=left_to_the_gpu)
