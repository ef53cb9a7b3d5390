"""GroupNormalization: mean 0 and variance 1 over groups of channels, then a scale and a bias for each group or (opset 21) channel.

https://onnx.ai/onnx/operators/onnx__GroupNormalization.html
"""

from __future__ import annotations

import math

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.channel_statistics import Scaling, normalize_groups
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.normalization import Normalization, deviation, normalize
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, require, same_as_first
from desktop.compute.nn.lowering.plan import NHWC


def lower(lowering: Lowering, node: Node) -> None:
    """As InstanceNormalization, with the sums of a group's channels added up; a workgroup a group where the network computes parameters."""
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
        _general(lowering, node, shape, groups)
        return
    own = shape[1] if node.version >= 21 else groups
    require(all(each.shape == (own,) for each in known), node, "parameters that do not fit its channels")
    scale, bias = (np.repeat(each, shape[1] // own) for each in known)
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    scaling = Scaling(scale, bias, float(node.attributes.get("epsilon", 1e-5)))
    normalize_groups(lowering, node, x, result, groups, scaling)


def _general(lowering: Lowering, node: Node, shape: tuple[int, ...], groups: int) -> None:
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


OPERATOR = Operator("GroupNormalization", same_as_first, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu)
