"""Convolutions of floating-point tensors and of integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.dense import convolve
from desktop.compute.nn.kernels.direct import Arithmetic, convolve_direct
from desktop.compute.nn.kernels.indexing import coordinates, emit, finish, unfused
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.kernels.matrix import IntegerDetail, bias_constant, conv_key, input_for, is_wide
from desktop.compute.nn.kernels.tiles import choose_neighbors, other_neighbors
from desktop.compute.nn.kernels.window import SlidingWindow, WindowAxis, volume_window, window, window_axes
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    Shapes,
    left_to_the_gpu,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC
from desktop.compute.nn.lowering.workgroups import ceil_div


# Conv: of any number of dimensions, with groups, strides, dilations and pads.
def _axes(node: Node, x: tuple[int, ...], w: tuple[int, ...]) -> list[WindowAxis]:
    _check(node, x, w)
    source = node.detail(InputMap)
    return window_axes(node, x if source is None else (*x[:2], *source.size), w[2:])


def _window(node: Node, x: tuple[int, ...], w: tuple[int, ...]) -> SlidingWindow:
    _check(node, x, w)
    source = node.detail(InputMap)
    return volume_window(node, x if source is None else (*x[:2], *source.size), w[2:])


def _check(node: Node, x: tuple[int, ...], w: tuple[int, ...]) -> None:
    group = int(node.attributes.get("group", 1))
    require(
        len(w) == len(x) and group > 0 and w[0] % group == 0 and x[1] == w[1] * group,
        node,
        "weights that do not fit its input",
    )
    require(
        tuple(node.attributes.get("kernel_shape", w[2:])) == tuple(w[2:]),
        node,
        "kernel_shape differs from its weights",
    )


def is_pointwise(node: Node, x: tuple[int, ...], w: tuple[int, ...]) -> bool:
    """True where each result is of one pixel, in up to three dimensions."""
    return len(x) <= 5 and _window(node, x, w).is_pointwise


def _infer_conv(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, output channels, spatial...)."""
    x, w = inputs[0].shape, inputs[1].shape
    sizes = [axis.output for axis in _axes(node, x, w)]
    require(not node.input(2) or inputs[2].shape == (w[0],), node, "a bias that does not fit its channels")
    return [Value(node.outputs[0], (x[0], w[0], *sizes), inputs[0].dtype)]


def _lower_conv(lowering: Lowering, node: Node) -> None:
    """Lower to an implicit matrix product (one group), the depthwise kernel, or the general kernel."""
    graph = lowering.graph
    weights, bias = graph.constants.get(node.inputs[1]), graph.constants.get(node.input(2))
    computed = weights is None or (bias is None and bool(node.input(2)))
    if computed or len(graph.shape(node.inputs[0])) > 5:
        _general(lowering, node)
        return
    assert weights is not None
    found = _window(node, lowering.graph.shape(node.inputs[0]), weights.shape)
    weights = weights.reshape(*weights.shape[:2], found.layers.kernel, *found.kernel)
    group = int(node.attributes.get("group", 1))
    x = input_for(lowering, node.inputs[0])
    result = lowering.values.result(node.outputs[0])
    if group == 1:
        convolve(lowering, Convolution(node, x, result, found, weights, bias))
    elif weights.shape[1] == 1 and weights.shape[0] == group:
        _depthwise(lowering, node, found, weights, bias)
    else:
        # Other groups: one dense product with zeros off the diagonal, mostly faster than the general kernel.
        if group > _DENSE_GROUPS and node.detail(InputMap) is None:
            _general(lowering, node)
        else:
            convolve(lowering, Convolution(node, x, result, found, _dense(weights, group), bias))


_DENSE_GROUPS = 8
"""Up to so many groups a product that is mostly zeros is taken."""


def _general(lowering: Lowering, node: Node) -> None:
    graph = lowering.graph
    reads = {"x": lowering.nchw(node.inputs[0]), "w": lowering.nchw(node.inputs[1])}
    done = "Element(v)"
    if node.input(2):
        reads["b"] = lowering.nchw(node.inputs[2])
        done = "Element(v + f32(b[channel]))"
    rows = unfused(lowering, node)
    axes = _axes(node, graph.shape(node.inputs[0]), graph.shape(node.inputs[1]))
    arithmetic = Arithmetic("f32", "f32(x[at])", "f32(w[at])", done)
    convolve_direct(lowering, node.name, reads, rows, axes, int(node.attributes.get("group", 1)), arithmetic)
    finish(lowering, node, rows)


def _dense(weights: np.ndarray, group: int) -> np.ndarray:
    m, c, *taps = weights.shape
    dense = np.zeros((group, m // group, group, c, *taps), weights.dtype)
    for index in range(group):
        dense[index, :, index] = weights.reshape(group, m // group, c, *taps)[index]
    return dense.reshape(m, group * c, *taps)


def _depthwise(
    lowering: Lowering, node: Node, found: SlidingWindow, weights: np.ndarray, bias: np.ndarray | None
) -> None:
    x = lowering.nhwc(node.inputs[0])
    result = lowering.values.result(node.outputs[0])
    channels = weights.shape[0]
    dtype = "float32" if lowering.values.is_exact(node.inputs[1]) else lowering.target.dtype
    taps = np.zeros((found.taps, ceil_div(channels, 4) * 4), dtype)
    taps[:, :channels] = weights.reshape(channels, -1).T
    wide = is_wide(node, weights, bias)
    decision = lowering.decide(
        conv_key("depthwise", lowering.target, x, result, found, f"wide {wide:d}"),
        choose_neighbors(result.pixels * result.blocks, found.output[1], lowering.target),
        lambda: other_neighbors(found.output[1]),
        exact=node.detail(IntegerDetail) is not None,
    )
    neighbors = decision.chosen.count
    columns = ceil_div(found.output[1], neighbors)
    lines = result.batch * found.layers.output * found.output[0]
    groups = ceil_div(lines * columns * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        **found.numbers(),
        "BLOCKS": result.blocks,
        "PIXELS": result.pixels,
        "NEIGHBORS": neighbors,
        "WIDE": int(wide),
        "COLUMNS": columns,
        "BATCH": result.batch,
        "WIDTH": width * 64,
        "SPAN": (neighbors - 1) * found.strides[1] + (found.kernel[1] - 1) * found.dilations[1] + 1,
    }
    element = "vec4<f16>" if dtype == "float16" else "vec4<f32>"
    constants = {
        "weights": (lowering.memory.constant(taps, dtype=dtype), element),
        "bias": bias_constant(lowering, bias, channels, wide),
    }
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("depthwise", numbers, own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(groups, width), 1),
            arrays=constants,
            epilogue=node.epilogue,
            decision=decision,
        )
    )


def _multiply_adds_conv(node: Node, shape: Shapes) -> int:
    """A product for each element of a window, of each result."""
    return math.prod(shape(node.outputs[0])) * math.prod(shape(node.inputs[1])[1:])


# ConvInteger: the exact int32 convolution of 8-bit tensors less their zero points; one and two dimensions.
def _integer_window(node: Node, x: Sequence[int], w: Sequence[int]) -> SlidingWindow:
    refuse_unless(len(x) in (3, 4), node, f"a tensor of {len(x)} dimensions")
    group = int(node.attributes.get("group", 1))
    fits = len(w) == len(x) and group > 0 and w[0] % group == 0 and x[1] == w[1] * group
    require(fits, node, "weights that do not fit its input")
    kernel = tuple(node.attributes.get("kernel_shape", w[2:]))
    require(kernel == tuple(w[2:]), node, "kernel_shape differs from its weights")
    return window(node, x, w[2:])


def _infer_conv_integer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, output channels, spatial...), int32."""
    x, w = inputs[:2]
    require(x.dtype in ("int8", "uint8") and w.dtype in ("int8", "uint8"), node, "inputs that are not 8-bit")
    found = _integer_window(node, x.shape, w.shape)
    require(not node.input(2) or inputs[2].size == 1, node, "several zero points of its input")
    require(
        not node.input(3) or inputs[3].size in (1, w.shape[0]),
        node,
        "zero points that do not fit its channels",
    )
    return [Value(node.outputs[0], (x.shape[0], w.shape[0], *found.output[4 - len(x.shape) :]), "int32")]


def _lower_conv_integer(lowering: Lowering, node: Node) -> None:
    """A thread a result: padding is the zero point, so it adds nothing."""
    graph = lowering.graph
    x, w = (graph.shape(name) for name in node.inputs[:2])
    found = _integer_window(node, x, w)
    group = int(node.attributes.get("group", 1))
    result = lowering.values.result(node.outputs[0], NCHW)
    reads = {"x": lowering.nchw(node.inputs[0]), "w": lowering.nchw(node.inputs[1])}
    zeros = ["0", "0"]
    for index, name in ((2, "zero_x"), (3, "zero_w")):
        if node.input(index):
            reads[name] = lowering.nchw(node.inputs[index])
            zeros[index - 2] = f"{name}[{'0u' if graph.values[node.inputs[index]].size == 1 else 'c1'}]"
    shape = (x[0], w[0], *found.output)
    names = " ".join(f"const {name} = {value}u;" for name, value in found.numbers().items())
    body = [
        *coordinates(shape),
        "var sum = 0;",
        f"for (var c = 0u; c < {w[1]}u; c++) {{",
        f"let plane = (c0 * {x[1]}u + c1 / {w[0] // group}u * {w[1]}u + c) * IN_H * IN_W;",
        "for (var i = 0u; i < KERNEL_H; i++) { for (var j = 0u; j < KERNEL_W; j++) {",
        "let row = c2 * STRIDE_H + i * DILATION_H; let column = c3 * STRIDE_W + j * DILATION_W;",
        "if (row >= PAD_H && row < IN_H + PAD_H && column >= PAD_W && column < IN_W + PAD_W) {",
        f"sum += (x[plane + (row - PAD_H) * IN_W + column - PAD_W] - {zeros[0]})",
        f"* (w[((c1 * {w[1]}u + c) * KERNEL_H + i) * KERNEL_W + j] - {zeros[1]});",
        "} } } }",
        "return sum;",
    ]
    emit(lowering, node, reads, result, body, code=names)


OPERATORS: Final = (
    Operator(
        "Conv",
        _infer_conv,
        _lower_conv,
        fuses=True,
        beside=True,
        layout=NHWC,
        fold=left_to_the_gpu,
        quantized=Quantized.PRODUCT,
        multiply_adds=_multiply_adds_conv,
    ),
    Operator(
        "ConvInteger",
        _infer_conv_integer,
        _lower_conv_integer,
        fold=left_to_the_gpu,
        multiply_adds=_multiply_adds_conv,
    ),
)
