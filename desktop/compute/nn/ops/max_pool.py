"""MaxPool of any number of dimensions; the second output has the index of each maximum in the input.

https://onnx.ai/onnx/operators/onnx__MaxPool.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import is_float, load, scalar_type
from desktop.compute.nn.kernels.direct import Pool, pool_direct
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.window import window, window_axes
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, left_to_the_gpu
from desktop.compute.nn.lowering.plan import NCHW, NHWC
from desktop.compute.nn.lowering.workgroups import ceil_div


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, spatial...)."""
    x = inputs[0].shape
    axes = window_axes(node, x, node.attributes.get("kernel_shape", ()))
    shape = (*x[:2], *(axis.output for axis in axes))
    places = [Value(name, shape, "int64") for name in node.outputs[1:]]
    return [Value(node.outputs[0], shape, inputs[0].dtype), *places]


def lower_pool(lowering: Lowering, node: Node, *, average: bool) -> None:
    """A dispatch with one thread for each four channels of an output pixel."""
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    found = window(node, x.shape, node.attributes.get("kernel_shape", ()))
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        **found.numbers(),
        "BLOCKS": result.blocks,
        "PIXELS": result.pixels,
        "WIDTH": width * 64,
        "AVERAGE": int(average),
        "COUNT_PAD": int(node.attributes.get("count_include_pad", 0)),
    }
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("pool", numbers, calls="" if average else "special() larger()", own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(groups, width), 1),
            epilogue=node.epilogue,
        )
    )


def lower(lowering: Lowering, node: Node) -> None:
    """The largest value of each window; padding never wins."""
    value = lowering.graph.values[node.inputs[0]]
    if is_float(value.dtype) and len(value.shape) <= 4 and not any(node.outputs[1:]):
        lower_pool(lowering, node, average=False)
        return
    kind = scalar_type(value.dtype)
    lowest = {"f32": "infinite(0xff800000u)", "i32": "(-2147483647 - 1)", "u32": "0u"}[kind]
    axes = window_axes(node, value.shape, node.attributes.get("kernel_shape", ()))
    x = lowering.nchw(node.inputs[0])
    join, wins = ("most(a, b)", "!nan(a) && (b > a || nan(b))") if kind == "f32" else ("max(a, b)", "b > a")
    pool = Pool(kind, lowest, join, wins, load("x", "at", value.dtype), "Element(v)")
    if node.outputs[0]:
        rows = unfused(lowering, node)
        pool_direct(lowering, node.name, x, rows, axes, pool)
        finish(lowering, node, rows)
    if any(node.outputs[1:]):
        places = lowering.values.result(node.outputs[1], NCHW)
        column_major = bool(node.attributes.get("storage_order", 0))
        pool_direct(
            lowering, node.name, x, places, axes, replace(pool, done="i32(best)"), column_major=column_major
        )


OPERATOR = Operator(
    "MaxPool", infer, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu, quantized=Quantized.MOVES
)
