"""InstanceNormalization: (x - mean) / sqrt(variance + epsilon) * scale + B, mean and variance over the pixels of a channel.

https://onnx.ai/onnx/operators/onnx__InstanceNormalization.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.channel_statistics import Scaling, normalize_channels
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.normalization import Normalization, deviation, normalize
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, require
from desktop.compute.nn.lowering.plan import NHWC


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Like the input."""
    shape = inputs[0].shape
    require(len(shape) >= 3, node, f"an input with {len(shape)} dimensions")
    require(
        inputs[1].shape == inputs[2].shape == (shape[1],), node, "parameters that do not fit its channels"
    )
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Partial sums of parts of the image, their sum as a factor, a mean and a bias a channel, and the application of these."""
    constants = lowering.graph.constants
    scale, bias = constants.get(node.inputs[1]), constants.get(node.inputs[2])
    if scale is None or bias is None:
        _general(lowering, node)
        return
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    scaling = Scaling(scale, bias, float(node.attributes.get("epsilon", 1e-5)))
    normalize_channels(lowering, node, x, result, scaling)


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


OPERATOR = Operator("InstanceNormalization", infer, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu)
