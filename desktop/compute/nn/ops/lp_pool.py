"""LpPool: the p-norm of each window.

https://onnx.ai/onnx/operators/onnx__LpPool.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.direct import Pool, pool_direct
from desktop.compute.nn.kernels.window import window_axes
from desktop.compute.nn.lowering.functions import raised, root
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, require
from desktop.compute.nn.lowering.plan import NCHW, NHWC
from desktop.compute.nn.ops.average_pool import infer


def lower(lowering: Lowering, node: Node) -> None:
    """A thread an output."""
    p = int(node.attributes.get("p", 2))
    require(p > 0, node, f"p {p}")
    axes = window_axes(node, lowering.graph.shape(node.inputs[0]), node.attributes.get("kernel_shape", ()))
    pool = Pool("f32", "0.0", "a + b", "false", raised("f32(x[at])", p), f"Element({root('v', p)})")
    result = lowering.values.result(node.outputs[0], NCHW)
    pool_direct(lowering, node.name, lowering.nchw(node.inputs[0]), result, axes, pool)


OPERATOR = Operator("LpPool", infer, lower, layout=NHWC, fold=left_to_the_gpu)
