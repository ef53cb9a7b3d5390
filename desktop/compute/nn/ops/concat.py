"""Concat along the channels. Inputs that were computed in place (see passes/placement.py) cost nothing.

https://onnx.ai/onnx/operators/onnx__Concat.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import CHANNELS_LAST, Lowering
from desktop.compute.nn.operator import Constants, Operator, axis_of, refuse_unless, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Sizes add up along the axis."""
    shape = list(inputs[0].shape)
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(shape))
    for value in inputs:
        same = len(value.shape) == len(shape) and all(
            a == b for i, (a, b) in enumerate(zip(value.shape, shape, strict=True)) if i != axis
        )
        require(same, node, "inputs whose shapes differ off the axis")
    shape[axis] = sum(value.shape[axis] for value in inputs)
    return [Value(node.outputs[0], tuple(shape), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """One copy for each input that does not lie in the result already."""
    name = node.outputs[0]
    shape = lowering.graph.shape(name)
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(shape))
    refuse_unless(axis == 1 and len(shape) >= 2, node, f"axis {axis}")
    whole = lowering.result(name)
    channel = 0
    for source in node.inputs:
        channels = lowering.graph.shape(source)[1]
        if not lowering.is_placed(source, name):
            refuse_unless(
                whole.layout == CHANNELS_LAST and channel % 4 == 0,
                node,
                "channels that are not a multiple of 4",
            )
            part = replace(whole, shape=lowering.graph.shape(source), start=whole.start + channel // 4)
            lowering.copy(replace(node, epilogue=()), lowering.any(source), part)
        channel += channels


OPERATOR = Operator("Concat", infer, lower)
