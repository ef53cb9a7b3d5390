"""RMSNormalization: mean of squares 1 over the axes from one on, then scale and bias.

https://onnx.ai/onnx/operators/onnx__RMSNormalization.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load
from desktop.compute.nn.kernels.elementwise import broadcast_index
from desktop.compute.nn.kernels.normalization import Normalization, deviation, normalize
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, left_to_the_gpu


def _axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", -1)), rank)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape; the statistics keep the normalized axes as ones."""
    shape = inputs[0].shape
    axis = _axis(node, len(shape))
    kept = (*shape[:axis], *(1 for _ in shape[axis:]))
    statistics = [Value(name, kept, "float32") for name in node.outputs[1:]]
    return [Value(node.outputs[0], shape, inputs[0].dtype), *statistics]


def lower(lowering: Lowering, node: Node) -> None:
    """A workgroup a row."""
    values = lowering.graph.values
    shape = values[node.inputs[0]].shape
    axes = frozenset(range(_axis(node, len(shape)), len(shape)))
    stored, extra = "v", {}
    for name, operation in zip(("scale", "bias"), ("*", "+"), strict=True):
        given = node.input(1 if name == "scale" else 2)
        if given:
            extra[name] = lowering.nchw(given)
            index = broadcast_index(shape, values[given].shape)
            stored = f"({stored}) {operation} {load(name, index, values[given].dtype)}"

    factor = deviation(math.prod(shape[i] for i in axes), float(node.attributes.get("epsilon", 1e-5)))
    normalize(lowering, node, Normalization(shape, axes, False, "v * v", factor, stored), extra)


OPERATOR = Operator("RMSNormalization", infer, lower, fold=left_to_the_gpu)
