"""ReduceMean: the mean over axes. Over all pixels a pass makes GlobalAveragePool of it.

https://onnx.ai/onnx/operators/onnx__ReduceMean.html
"""

from __future__ import annotations

import math

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import scalar_type
from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reduce, reduced_axes
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, Quantized, Sums


def lower(lowering: Lowering, node: Node) -> None:
    """The sum, divided by how many there are."""
    shape = lowering.graph.shape(node.inputs[0])
    axes = reduced_axes(node, len(shape), lowering.graph.constants)
    length = math.prod(shape[i] for i in axes)
    kind = scalar_type(lowering.graph.values[node.inputs[0]].dtype)
    reduce(lowering, node, axes, Reduction(f"{kind}(0)", "x", "a + b", f"v / {kind}({length})"))


OPERATOR = Operator("ReduceMean", infer_reduction, lower, host=(1,), quantized=Quantized.MEAN, sums=Sums.MEAN)
