"""GlobalLpPool: the p-norm of each channel.

https://onnx.ai/onnx/operators/onnx__GlobalLpPool.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.reduction import Reduction, reduce
from desktop.compute.nn.lowering.functions import raised, root
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, Sums, left_to_the_gpu
from desktop.compute.nn.ops.global_average_pool import infer


def lower(lowering: Lowering, node: Node) -> None:
    """Over all dimensions but batch and channels."""
    rank = len(lowering.graph.shape(node.inputs[0]))
    p = int(node.attributes.get("p", 2))
    norm = Reduction("0.0", raised("f32(x)", p), "a + b", root("v", p), "f32")
    reduce(lowering, node, set(range(2, rank)), norm)


OPERATOR = Operator("GlobalLpPool", infer, lower, fold=left_to_the_gpu, sums=Sums.ELEMENTS)
