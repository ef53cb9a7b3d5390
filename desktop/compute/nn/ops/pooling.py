"""Pools over windows and over whole channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop.compute.nn.ir.graph import Detail, Node, Value
from desktop.compute.nn.ir.scalar import is_float, load, scalar_type
from desktop.compute.nn.kernels.direct import Pool, pool_direct
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, finish, require_indices, unfused
from desktop.compute.nn.kernels.reduction import Reduction, reduce
from desktop.compute.nn.kernels.scatter import NOWHERE, emit_scatter
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.kernels.window import window, window_axes
from desktop.compute.nn.lowering.functions import raised, root
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    Sums,
    integers,
    left_to_the_gpu,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC
from desktop.compute.nn.lowering.workgroups import ceil_div


# MaxPool of any number of dimensions; the second output has the index of each maximum in the input.
def _infer_max_pool(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, spatial...)."""
    x = inputs[0].shape
    axes = window_axes(node, x, node.attributes.get("kernel_shape", ()))
    shape = (*x[:2], *(axis.output for axis in axes))
    places = [Value(name, shape, "int64") for name in node.outputs[1:]]
    return [Value(node.outputs[0], shape, inputs[0].dtype), *places]


def _pool(lowering: Lowering, node: Node, *, average: bool) -> None:
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


def _lower_max_pool(lowering: Lowering, node: Node) -> None:
    """The largest value of each window; padding never wins."""
    value = lowering.graph.values[node.inputs[0]]
    if is_float(value.dtype) and len(value.shape) <= 4 and not any(node.outputs[1:]):
        _pool(lowering, node, average=False)
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


# AveragePool of any number of dimensions.
def _infer_average_pool(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, spatial...)."""
    x = inputs[0].shape
    axes = window_axes(node, x, node.attributes.get("kernel_shape", ()))
    return [Value(node.outputs[0], (*x[:2], *(axis.output for axis in axes)), inputs[0].dtype)]


def _lower_average_pool(lowering: Lowering, node: Node) -> None:
    """The mean of each window; padding counts only with count_include_pad."""
    shape = lowering.graph.shape(node.inputs[0])
    if len(shape) <= 4:
        _pool(lowering, node, average=True)
        return
    count = "padded" if node.attributes.get("count_include_pad", 0) else "inside"
    pool = Pool("f32", "0.0", "a + b", "false", "f32(x[at])", f"Element(v / f32({count}))")
    rows = unfused(lowering, node)
    axes = window_axes(node, shape, node.attributes.get("kernel_shape", ()))
    pool_direct(lowering, node.name, lowering.nchw(node.inputs[0]), rows, axes, pool)
    finish(lowering, node, rows)


# LpPool: the p-norm of each window.
def _lower_lp_pool(lowering: Lowering, node: Node) -> None:
    """A thread an output."""
    p = int(node.attributes.get("p", 2))
    require(p > 0, node, f"p {p}")
    axes = window_axes(node, lowering.graph.shape(node.inputs[0]), node.attributes.get("kernel_shape", ()))
    pool = Pool("f32", "0.0", "a + b", "false", raised("f32(x[at])", p), f"Element({root('v', p)})")
    result = lowering.values.result(node.outputs[0], NCHW)
    pool_direct(lowering, node.name, lowering.nchw(node.inputs[0]), result, axes, pool)


# GlobalAveragePool: the mean of each channel.
@dataclass(frozen=True)
class Summed(Detail):
    """The sum of each channel is wanted, not its mean: one of integers is exact."""


def _infer_global(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, 1...)."""
    shape = inputs[0].shape
    require(len(shape) >= 3, node, f"an input with {len(shape)} dimensions")
    return [Value(node.outputs[0], (*shape[:2], *(1 for _ in shape[2:])), inputs[0].dtype)]


def _lower_global_average_pool(lowering: Lowering, node: Node) -> None:
    """A workgroup sums 8 vec4s of channels with 8 to 32 threads each."""
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    across, slices = 8, 32 if x.plane >= 32 else 8
    numbers = {"BLOCKS": x.blocks, "PLANE": x.plane, "ACROSS": across, "SLICES": slices}
    numbers["SUM"] = int(node.detail(Summed) is not None)
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("global_pool", numbers, own_indices=True),
            {"x": x},
            result,
            (ceil_div(x.blocks, across), x.batch, 1),
            epilogue=node.epilogue,
        )
    )


# GlobalLpPool: the p-norm of each channel.
def _lower_global_lp_pool(lowering: Lowering, node: Node) -> None:
    """Over all dimensions but batch and channels."""
    rank = len(lowering.graph.shape(node.inputs[0]))
    p = int(node.attributes.get("p", 2))
    norm = Reduction("0.0", raised("f32(x)", p), "a + b", root("v", p), "f32")
    reduce(lowering, node, set(range(2, rank)), norm)


# GlobalMaxPool: the largest of each channel.
def _lower_global_max_pool(lowering: Lowering, node: Node) -> None:
    """Over all dimensions but batch and channels."""
    rank = len(lowering.graph.shape(node.inputs[0]))
    reduce(lowering, node, set(range(2, rank)), Reduction("infinite(0xff800000u)", "x", "most(a, b)"))


# MaxUnpool: pooled maxima put back where MaxPool found them, zeros elsewhere.
def _indexed(node: Node, shape: Sequence[int]) -> list[int]:
    """Return the shape that indices refer to: by the window, strides and pads, not `output_shape`."""
    kernel = [int(n) for n in node.attributes.get("kernel_shape", ())]
    rank = len(shape) - 2
    strides = [int(n) for n in node.attributes.get("strides", [1] * rank)]
    pads = [int(n) for n in node.attributes.get("pads", [0] * 2 * rank)]
    require(
        len(kernel) == len(strides) == rank >= 1 and len(pads) == 2 * rank,
        node,
        "a window that does not fit its input",
    )
    spatial = [(n - 1) * strides[i] - pads[i] - pads[i + rank] + kernel[i] for i, n in enumerate(shape[2:])]
    require(min(spatial) > 0, node, "pads larger than its result")
    return [*shape[:2], *spatial]


def _infer_max_unpool(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Shape by the window, or by `output_shape`."""
    shape = inputs[0].shape
    require_indices(node, inputs[1])
    require(inputs[1].shape == shape, node, "indices that do not fit its input")
    found = _indexed(node, shape)
    if node.input(2):
        stated = integers(node, "output_shape", 2, constants)
        require(
            stated is not None and len(stated) == len(shape) and min(stated) > 0,
            node,
            "an output_shape that does not fit",
        )
        assert stated is not None
        found = [int(n) for n in stated]
    return [Value(node.outputs[0], tuple(found), inputs[0].dtype)]


def _lower_max_unpool(lowering: Lowering, node: Node) -> None:
    """Zeros, then a write for each element of the input."""
    x, indices = source(lowering, node.inputs[0]), lowering.nchw(node.inputs[1])
    result = lowering.values.result(node.outputs[0], NCHW)
    indexed = _indexed(node, x.shape)
    emit(lowering, node, {}, result, ["return Element(0);"])
    inside = " && ".join(f"p{i} < {n}u" for i, n in enumerate(result.shape))
    places = [f"p{i}" for i in range(len(result.shape))]
    place = [
        "let index = indices[at];",
        f"if (index < 0 || index >= {math.prod(indexed)}) {{ return {NOWHERE}; }}",
        "let whole = u32(index);",
        *coordinates(indexed, "whole", "p"),
        f"if (!({inside})) {{ return {NOWHERE}; }}",
        f"return {address(result, places)};",
    ]
    value = [
        *coordinates(x.shape),
        f"return Element(x[{address(x, [f'c{i}' for i in range(len(x.shape))])}]);",
    ]
    emit_scatter(lowering, node, {"x": x, "indices": indices}, result, math.prod(x.shape), place, value)


OPERATORS: Final = (
    Operator(
        "MaxPool",
        _infer_max_pool,
        _lower_max_pool,
        fuses=True,
        layout=NHWC,
        fold=left_to_the_gpu,
        quantized=Quantized.MOVES,
    ),
    Operator(
        "AveragePool", _infer_average_pool, _lower_average_pool, fuses=True, layout=NHWC, fold=left_to_the_gpu
    ),
    Operator("LpPool", _infer_average_pool, _lower_lp_pool, layout=NHWC, fold=left_to_the_gpu),
    Operator(
        "GlobalAveragePool",
        _infer_global,
        _lower_global_average_pool,
        fuses=True,
        layout=NHWC,
        quantized=Quantized.MEAN,
        sums=Sums.MEAN,
    ),
    Operator("GlobalLpPool", _infer_global, _lower_global_lp_pool, fold=left_to_the_gpu, sums=Sums.ELEMENTS),
    Operator("GlobalMaxPool", _infer_global, _lower_global_max_pool, layout=NHWC, fold=left_to_the_gpu),
    Operator("MaxUnpool", _infer_max_unpool, _lower_max_unpool, host=(2,), fold=left_to_the_gpu),
)
