"""Concat along an axis. Inputs that were computed in place (see passes/placement.py) cost nothing.

https://onnx.ai/onnx/operators/onnx__Concat.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import ANY, Constants, Operator, Quantized, axis_of, require
from desktop.compute.nn.lowering.plan import NHWC


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Sizes add up along the axis."""
    shape = list(inputs[0].shape)
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(shape))
    require(len({value.dtype for value in inputs}) == 1, node, "inputs of several types")
    for value in inputs:
        same = len(value.shape) == len(shape) and all(
            a == b for i, (a, b) in enumerate(zip(value.shape, shape, strict=True)) if i != axis
        )
        require(same, node, "inputs whose shapes differ off the axis")
    shape[axis] = sum(value.shape[axis] for value in inputs)
    return [Value(node.outputs[0], tuple(shape), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """One copy for each input that does not lie in the result already: of vec4s where they line up, else of numbers."""
    name = node.outputs[0]
    shape = lowering.graph.shape(name)
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(shape))
    sizes = [lowering.graph.shape(part)[axis] for part in node.inputs]
    aligned = axis == 1 and len(shape) > 1 and all(size % 4 == 0 for size in sizes[:-1])
    whole = lowering.values.result(name) if aligned else lowering.values.movable(name)
    for part, first in zip(node.inputs, accumulate(sizes, initial=0), strict=False):
        place = replace(whole, shape=lowering.graph.shape(part), start=whole.start + first // 4)
        lies_there = whole.layout == NHWC and first % 4 == 0 and lowering.values.lies_at(part, place)
        if lies_there or 0 in place.shape:
            continue
        if aligned and whole.layout == NHWC:
            lowering.copy(node, lowering.values.any(part), place)
            lowering.values.copied_to(part, place)
        else:
            x = source(lowering, part)
            copy_box(
                lowering,
                node,
                x,
                whole,
                x.shape,
                x.strides,
                whole.strides,
                y_first=first * whole.strides[axis],
            )


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of constants."""
    return [np.concatenate(inputs, int(node.attributes.get("axis", 1)))]


OPERATOR = Operator("Concat", infer, lower, fold=fold, layout=ANY, quantized=Quantized.JOINS, carries=True)
