"""DequantizeLinear: (x - zero_point) * scale, a scale a tensor or one an entry of `axis`.

Weights are dequantised at load; after QuantizeLinear a pass makes one step of the two.
https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.operator import Constants, Operator, axis_of, refuse_unless, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type is the scale's."""
    return [Value(node.outputs[0], inputs[0].shape, inputs[1].dtype)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Dequantised weights."""
    refuse_unless(not node.attributes.get("block_size", 0), node, "blocked quantisation")
    x, scale = inputs[0], inputs[1]
    zero = inputs[2] if len(inputs) > 2 else np.zeros((), x.dtype)
    if scale.ndim == 1 and scale.size > 1:
        axis = axis_of(node, int(node.attributes.get("axis", 1)), x.ndim)
        require(
            scale.size == x.shape[axis] and zero.size in (1, scale.size),
            node,
            "a scale that does not fit its axis",
        )
        along = [1] * x.ndim
        along[axis] = -1
        scale, zero = scale.reshape(along), zero.reshape(along) if zero.size > 1 else zero.reshape(())
    require(scale.size == 1 or scale.ndim == x.ndim, node, "a scale that does not fit its input")
    return [
        ((x.astype(np.float32) - zero.astype(np.float32)) * scale).astype(inputs[1].dtype).reshape(x.shape)
    ]


OPERATOR = Operator("DequantizeLinear", infer, fold=fold)
