"""Normalizations by mean and variance, by a norm, or by neighboring channels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.channel_statistics import Scaling, normalize_channels, normalize_groups
from desktop.compute.nn.kernels.indexing import emit, finish, unfused
from desktop.compute.nn.kernels.normalization import (
    LeastNorm,
    Normalization,
    deviation,
    holds_rows,
    infer_rows,
    normalize,
    normalize_held,
    normalize_rows,
)
from desktop.compute.nn.lowering.expansion import Builder
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    axis_of,
    constant_input,
    left_to_the_gpu,
    require,
    same_as_first,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC
from desktop.compute.nn.lowering.workgroups import ceil_div


# BatchNormalization: (x - mean) / sqrt(var + epsilon) * scale + B; a pass folds it into the Conv before it.
# In training mode mean and variance are those of the batch; the running ones are outputs.
def _expand_batch_normalization(
    node: Node, values: Mapping[str, Value], constants: Constants
) -> Expansion | None:
    """In training mode: with the batch's own mean and variance, of all values of a channel."""
    if not node.attributes.get("training_mode", 0):
        return None
    source, scale, bias, *running = node.inputs
    build = Builder(node)
    value = values[source]
    axes = build.constant([axis for axis in range(len(value.shape)) if axis != 1])
    wide = build.constant([-1, *[1] * (len(value.shape) - 2)])
    near = build.add("ReduceMean", source, axes, keepdims=0)
    beyond = build.add("Sub", source, build.add("Reshape", near, wide))
    # Correct the mean of large numbers by the mean of the differences from it, which loses few digits.
    rest = build.add("ReduceMean", beyond, axes, keepdims=0)
    apart = build.add("Sub", beyond, build.add("Reshape", rest, wide))
    # Of an infinite mean there is no rest.
    mean = build.add("Where", build.add("IsInf", near), near, build.add("Add", near, rest))
    variance = build.add("ReduceMean", build.add("Mul", apart, apart), axes, keepdims=0)
    attributes = {"epsilon": float(node.attributes.get("epsilon", 1e-5))}
    build.add("BatchNormalization", beyond, scale, bias, rest, variance, output=node.outputs[0], **attributes)
    momentum = float(node.attributes.get("momentum", 0.9))
    kept = build.constant(momentum, value.dtype)
    new = build.constant(1.0 - momentum, value.dtype)
    for before, now, output in zip(running, (mean, variance), node.outputs[1:], strict=False):
        if output:
            build.add("Add", build.add("Mul", before, kept), build.add("Mul", now, new), output=output)
    return build.done()


def has_known_parameters(node: Node, constants: Constants) -> bool:
    """True for parameters that are known, which a pass folds away."""
    return all(name in constants for name in node.inputs[1:5])


def _lower_batch_normalization(lowering: Lowering, node: Node) -> None:
    """Parameters that the network computes."""
    shape = lowering.graph.shape(node.inputs[0])
    channel = f"at / {math.prod(shape[2:])}u % {shape[1]}u" if len(shape) > 1 else "0u"
    names = ("scale", "bias", "mean", "variance")
    reads = {name: lowering.nchw(value) for name, value in zip(names, node.inputs[1:5], strict=True)}
    reads["x"] = lowering.nchw(node.inputs[0])
    epsilon = literal(float(node.attributes.get("epsilon", 1e-5)))
    body = [
        f"let channel = {channel};",
        f"let factor = f32(scale[channel]) / sqrt(f32(variance[channel]) + {epsilon});",
        "return Element((f32(x[at]) - f32(mean[channel])) * factor + f32(bias[channel]));",
    ]
    emit(lowering, node, reads, lowering.values.result(node.outputs[0], NCHW), body)


def scale_and_shift(node: Node, constants: Constants, channels: int) -> tuple[np.ndarray, np.ndarray]:
    """The node as x * scale + shift a channel, computed in float64."""
    arrays = [constant_input(node, index, constants) for index in range(1, 5)]
    require(
        all(a is not None and a.shape == (channels,) for a in arrays),
        node,
        "parameters that do not fit its channels",
    )
    scale, bias, mean, variance = (np.asarray(a, np.float64) for a in arrays)
    factor = scale / np.sqrt(variance + float(node.attributes.get("epsilon", 1e-5)))
    return factor, bias - mean * factor


# GroupNormalization: over groups of channels, then a scale and bias for each group or (opset 21) channel.
def _lower_group_normalization(lowering: Lowering, node: Node) -> None:
    """Lower as InstanceNormalization with sums of groups; a workgroup a group if parameters are computed."""
    shape = lowering.graph.shape(node.inputs[0])
    groups = int(node.attributes.get("num_groups", 0))
    require(
        len(shape) > 2 and groups > 0 and shape[1] % groups == 0,
        node,
        f"{groups} groups of {shape[1:2]} channels",
    )
    parameters = [lowering.graph.constants.get(name) for name in node.inputs[1:3]]
    known = [each for each in parameters if each is not None]
    if len(known) < 2:
        _general_group_normalization(lowering, node, shape, groups)
        return
    own = shape[1] if node.version >= 21 else groups
    require(all(each.shape == (own,) for each in known), node, "parameters that do not fit its channels")
    scale, bias = (np.repeat(each, shape[1] // own) for each in known)
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    scaling = Scaling(scale, bias, float(node.attributes.get("epsilon", 1e-5)))
    normalize_groups(lowering, node, x, result, groups, scaling)


def _general_group_normalization(lowering: Lowering, node: Node, shape: tuple[int, ...], groups: int) -> None:
    plane, members = math.prod(shape[2:]), shape[1] // groups
    channel = f"at / {plane}u % {shape[1]}u"
    index = channel if node.version >= 21 else f"({channel}) / {members}u"
    extra = {"scale": lowering.nchw(node.inputs[1]), "bias": lowering.nchw(node.inputs[2])}
    stored = f"v * f32(scale[{index}]) + f32(bias[{index}])"
    seen = (shape[0], groups, members * plane)
    factor = deviation(members * plane, float(node.attributes.get("epsilon", 1e-5)))
    rows = unfused(lowering, node)
    normalize(lowering, node, Normalization(seen, frozenset({2}), True, "v * v", factor, stored), extra, rows)
    finish(lowering, node, rows)


# InstanceNormalization: (x - mean) / sqrt(variance + epsilon) * scale + B, over a channel's pixels.
def _infer_instance_normalization(
    node: Node, inputs: Sequence[Value], constants: Constants
) -> Sequence[Value]:
    """Like the input."""
    shape = inputs[0].shape
    require(len(shape) >= 3, node, f"an input with {len(shape)} dimensions")
    require(
        inputs[1].shape == inputs[2].shape == (shape[1],), node, "parameters that do not fit its channels"
    )
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_instance_normalization(lowering: Lowering, node: Node) -> None:
    """Lower to sums of parts of the image, a factor and a bias a channel, and their application."""
    constants = lowering.graph.constants
    scale, bias = constants.get(node.inputs[1]), constants.get(node.inputs[2])
    if scale is None or bias is None:
        _general_instance_normalization(lowering, node)
        return
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    scaling = Scaling(scale, bias, float(node.attributes.get("epsilon", 1e-5)))
    normalize_channels(lowering, node, x, result, scaling)


def _general_instance_normalization(lowering: Lowering, node: Node) -> None:
    """Parameters that the network computes."""
    shape = lowering.graph.shape(node.inputs[0])
    plane = math.prod(shape[2:])
    extra = {"scale": lowering.nchw(node.inputs[1]), "bias": lowering.nchw(node.inputs[2])}
    channel = f"at / {plane}u % {shape[1]}u"
    stored = f"v * f32(scale[{channel}]) + f32(bias[{channel}])"
    factor = deviation(plane, float(node.attributes.get("epsilon", 1e-5)))
    axes = frozenset(range(2, len(shape)))
    rows = unfused(lowering, node)
    normalize(lowering, node, Normalization(shape, axes, True, "v * v", factor, stored), extra, rows)
    finish(lowering, node, rows)


# LpNormalization: divided by the sum of absolute values, or by the root of the sum of squares, along an axis.
def _lower_lp_normalization(lowering: Lowering, node: Node) -> None:
    """A workgroup a line; a line of zeros stays zero, and NaN stays."""
    shape = lowering.graph.shape(node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", -1)), len(shape))
    p = int(node.attributes.get("p", 2))
    require(p in (1, 2), node, f"p {p}")
    term, root = ("abs(v)", "v") if p == 1 else ("v * v", "sqrt(v)")
    least = node.detail(LeastNorm)
    factor = f"select(1.0 / {root}, 0.0, v == 0.0)"
    if least is not None:
        # The bits say whether it is NaN, which compilers take no number for.
        is_nan = f"(bitcast<u32>({root}) & 0x7fffffffu) > 0x7f800000u"
        factor = f"1.0 / select(max({root}, {literal(least.norm)}), {root}, {is_nan})"
    if p == 2 and axis == len(shape) - 1 and holds_rows(lowering, node, shape[axis]):
        normalize_held(lowering, node, shape[axis], factor)
    else:
        normalize(lowering, node, Normalization(shape, frozenset({axis}), False, term, factor))


# LRN: x / (bias + alpha / size * sum of squares over `size` neighboring channels) ** beta.
def _lower_lrn(lowering: Lowering, node: Node) -> None:
    """One thread for four channels of a pixel."""
    size = int(node.attributes["size"])
    require(0 < size <= 1 << 12, node, f"a size of {size}")
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        "PIXELS": result.pixels,
        "BLOCKS": result.blocks,
        "WIDTH": width * 64,
        "BEFORE": (size - 1) // 2,
        "AFTER": size - 1 - (size - 1) // 2,
    }
    floats = {
        "ALPHA": float(node.attributes.get("alpha", 1e-4)) / size,
        "BETA": float(node.attributes.get("beta", 0.75)),
        "BIAS": float(node.attributes.get("bias", 1.0)),
    }
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("lrn", numbers, floats=floats, calls="is_nan()", own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(groups, width), 1),
            epilogue=node.epilogue,
        )
    )


# MeanVarianceNormalization: mean 0 and variance 1 over axes, by default all but the channels.
def _lower_mean_variance_normalization(lowering: Lowering, node: Node) -> None:
    """A workgroup a channel. The specification adds 1e-9 to the deviation, not to the variance."""
    shape = lowering.graph.shape(node.inputs[0])
    axes = frozenset(axis_of(node, int(a), len(shape)) for a in node.attributes.get("axes", (0, 2, 3)))
    length = math.prod(shape[i] for i in axes)
    factor = f"1.0 / (sqrt(v / {float(length)}) + 1e-9)"
    normalize(lowering, node, Normalization(shape, axes, True, "v * v", factor))


OPERATORS: Final = (
    Operator(
        "BatchNormalization",
        same_as_first,
        _lower_batch_normalization,
        layout=NHWC,
        fold=left_to_the_gpu,
        expand=_expand_batch_normalization,
    ),
    Operator(
        "GroupNormalization",
        same_as_first,
        _lower_group_normalization,
        fuses=True,
        layout=NHWC,
        fold=left_to_the_gpu,
    ),
    Operator(
        "InstanceNormalization",
        _infer_instance_normalization,
        _lower_instance_normalization,
        fuses=True,
        layout=NHWC,
        fold=left_to_the_gpu,
    ),
    # LayerNormalization: mean 0 and variance 1 over the axes from one on, then scale and bias.
    Operator("LayerNormalization", infer_rows, normalize_rows, fold=left_to_the_gpu),
    Operator("LpNormalization", same_as_first, _lower_lp_normalization, fold=left_to_the_gpu),
    Operator("LRN", same_as_first, _lower_lrn, fuses=True, layout=NHWC, fold=left_to_the_gpu),
    Operator(
        "MeanVarianceNormalization", same_as_first, _lower_mean_variance_normalization, fold=left_to_the_gpu
    ),
    # RMSNormalization: mean of squares 1 over the axes from one on, then scale and bias.
    Operator("RMSNormalization", infer_rows, normalize_rows, fold=left_to_the_gpu),
)
