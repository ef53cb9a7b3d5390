"""GroupNormalization: mean 0 and variance 1 over groups of channels, then a scale and a bias for each group or (opset 21) channel.

https://onnx.ai/onnx/operators/onnx__GroupNormalization.html
"""

from __future__ import annotations

import math

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.normalization import Normalization, deviation, normalize
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, require, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """A workgroup a group of a picture."""
    shape = lowering.graph.shape(node.inputs[0])
    groups = int(node.attributes.get("num_groups", 0))
    require(
        len(shape) > 2 and groups > 0 and shape[1] % groups == 0,
        node,
        f"{groups} groups of {shape[1:2]} channels",
    )
    plane, members = math.prod(shape[2:]), shape[1] // groups
    channel = f"at / {plane}u % {shape[1]}u"
    index = channel if node.version >= 21 else f"({channel}) / {members}u"
    extra = {"scale": lowering.nchw(node.inputs[1]), "bias": lowering.nchw(node.inputs[2])}
    stored = f"v * f32(scale[{index}]) + f32(bias[{index}])"
    seen = (shape[0], groups, members * plane)
    factor = deviation(members * plane, float(node.attributes.get("epsilon", 1e-5)))
    normalize(lowering, node, Normalization(seen, frozenset({2}), True, "v * v", factor, stored), extra)


OPERATOR = Operator("GroupNormalization", same_as_first, lower, fold=left_to_the_gpu)
