"""Clip: bounds as attributes (before opset 11) or as inputs.

https://onnx.ai/onnx/operators/onnx__Clip.html
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Operator,
    Quantized,
    constant_input,
    refuse_unless,
    require,
    same_as_first,
)

_LARGEST: Final = float(np.finfo(np.float32).max)


def _bound(node: Node, graph: Graph, attribute: str, index: int, default: float) -> float:
    array = constant_input(node, index, graph.constants)
    if array is None:
        return float(node.attributes.get(attribute, default))
    require(array.size == 1, node, "a bound that is not one number")
    return float(array.reshape(()))


def bounds(node: Node, graph: Graph) -> tuple[float, float]:
    """The smallest and largest result; a missing bound is infinite, before opset 11 the largest finite number."""
    missing = math.inf if node.version >= 11 else _LARGEST
    low, high = _bound(node, graph, "min", 1, -missing), _bound(node, graph, "max", 2, missing)
    # The specification gives `max` where the bounds cross; WGSL's clamp may give either.
    return min(low, high), high


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The steps on input 0. One with a single bound leaves infinities on the other side as they are."""
    low, high = bounds(node, graph)
    refuse_unless(low < math.inf and high > -math.inf, node, "infinity as the smallest or largest result")
    if low > -_LARGEST and high < _LARGEST:
        return node.inputs[0], (EpilogueStep("clip", (low, high)),)
    found = [EpilogueStep("above_infinity")] if low == -_LARGEST else []
    found += [EpilogueStep("below_infinity")] if high == _LARGEST else []
    found += [EpilogueStep("at_least", (low,))] if low > -_LARGEST else []
    found += [EpilogueStep("at_most", (high,))] if high < _LARGEST else []
    return node.inputs[0], tuple(found)


def lower(lowering: Lowering, node: Node) -> None:
    """Bounds of any type, that the network may compute."""
    expression = "a"
    inputs = [node.inputs[0]]
    floats = is_float(lowering.graph.values[node.inputs[0]].dtype)
    for index, function in ((1, "most"), (2, "least")) if floats else ((1, "max"), (2, "min")):
        if node.input(index):
            expression = f"{function}({expression}, {'abc'[len(inputs)]})"
            inputs.append(node.inputs[index])
    map_elements(lowering, node, expression, inputs, node.outputs[0])


OPERATOR = Operator("Clip", same_as_first, lower, steps=steps, quantized=Quantized.CLIPS, carries=True)
