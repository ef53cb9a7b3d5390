"""AveragePool of any number of dimensions.

https://onnx.ai/onnx/operators/onnx__AveragePool.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.direct import Pool, pool_direct
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.window import window_axes
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.ops.max_pool import lower_pool


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, spatial...)."""
    x = inputs[0].shape
    axes = window_axes(node, x, node.attributes.get("kernel_shape", ()))
    return [Value(node.outputs[0], (*x[:2], *(axis.output for axis in axes)), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """The mean of each window; padding counts only with count_include_pad."""
    shape = lowering.graph.shape(node.inputs[0])
    if len(shape) <= 4:
        lower_pool(lowering, node, average=True)
        return
    count = "padded" if node.attributes.get("count_include_pad", 0) else "inside"
    pool = Pool("f32", "0.0", "a + b", "false", "f32(x[at])", f"Element(v / f32({count}))")
    rows = unfused(lowering, node)
    axes = window_axes(node, shape, node.attributes.get("kernel_shape", ()))
    pool_direct(lowering, node.name, lowering.nchw(node.inputs[0]), rows, axes, pool)
    finish(lowering, node, rows)


OPERATOR = Operator("AveragePool", infer, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu)
