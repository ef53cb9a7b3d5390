"""GlobalMaxPool: the largest of each channel.

https://onnx.ai/onnx/operators/onnx__GlobalMaxPool.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.reduction import Reduction, reduce
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.ops.global_average_pool import infer


def lower(lowering: Lowering, node: Node) -> None:
    """Over all dimensions but batch and channels."""
    rank = len(lowering.graph.shape(node.inputs[0]))
    reduce(lowering, node, set(range(2, rank)), Reduction("infinite(0xff800000u)", "x", "most(a, b)"))


OPERATOR = Operator("GlobalMaxPool", infer, lower, layout=NHWC, fold=left_to_the_gpu)
