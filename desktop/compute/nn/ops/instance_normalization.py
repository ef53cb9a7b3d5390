"""InstanceNormalization: (x - mean) / sqrt(variance + epsilon) * scale + B, mean and variance over the pixels of a channel.

https://onnx.ai/onnx/operators/onnx__InstanceNormalization.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.matrix import pack_bias
from desktop.compute.nn.kernels.normalization import Normalization, deviation, normalize
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, require
from desktop.compute.nn.lowering.plan import NHWC, Operand
from desktop.compute.nn.lowering.workgroups import ceil_div


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Like the input."""
    shape = inputs[0].shape
    require(len(shape) >= 3, node, f"an input with {len(shape)} dimensions")
    require(
        inputs[1].shape == inputs[2].shape == (shape[1],), node, "parameters that do not fit its channels"
    )
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Partial sums of parts of the picture, their sum as a factor, a mean and a bias a channel, and the application of these.

    Sums are kept relative to the channel's first pixel: the variance of a bright, even picture would cancel otherwise.
    """
    constants = lowering.graph.constants
    scale, bias = constants.get(node.inputs[1]), constants.get(node.inputs[2])
    if scale is None or bias is None:
        _general(lowering, node)
        return
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    parts = min(ceil_div(x.plane, 512), 256)
    channels, across = x.blocks * 4, 8
    numbers = {
        "BLOCKS": x.blocks,
        "PLANE": x.plane,
        "PARTS": parts,
        "PART": ceil_div(x.plane, parts),
        "ACROSS": across,
        "SLICES": 8 if lowering.target.is_software else 32,
    }
    sums = lowering.values.scratch((x.batch, channels, parts, 2))
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("instance_sums", numbers),
            {"x": x},
            sums,
            (ceil_div(x.blocks, across), parts, x.batch),
        )
    )
    factors = lowering.values.scratch((x.batch, channels, 3))
    epsilon = float(node.attributes.get("epsilon", 1e-5))
    packed = {
        "scale": (lowering.memory.constant(pack_bias(scale, x.channels), dtype="float32"), "vec4<f32>"),
        "bias": (lowering.memory.constant(pack_bias(bias, x.channels), dtype="float32"), "vec4<f32>"),
    }
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("instance_factors", numbers, floats={"EPSILON": epsilon}, calls="larger()"),
            {"x": x, "sums": sums},
            factors,
            (x.blocks, x.batch, 1),
            arrays=packed,
        )
    )
    _apply(lowering, node, x, factors, result)


def _general(lowering: Lowering, node: Node) -> None:
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


def _apply(lowering: Lowering, node: Node, x: Operand, factors: Operand, result: Operand) -> None:
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {"BLOCKS": x.blocks, "PLANE": x.plane, "PIXELS": x.pixels, "WIDTH": width * 64}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("instance_apply", numbers),
            {"x": x, "factors": factors},
            result,
            (width, ceil_div(groups, width), 1),
            epilogue=node.epilogue,
        )
    )


OPERATOR = Operator("InstanceNormalization", infer, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu)
