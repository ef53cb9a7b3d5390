"""Select the values that stay in float32 if a network is computed in 16 bits: coordinates and angles, whose
absolute error matters, and sums of squares, which may exceed the range.

A float16 has 11 bits: a coordinate of 1900 pixels is rounded to whole pixels, an angle of 981 to a half.
Results computed from them (a warped image, a sine) are then off by far more than a rounding of their own. And
it ends at 65504 and, downward, at 2^-24: the squares of features of 300 or of 2e-4 are lost, and with them
the divisor of a normalization. Sums within a kernel are float32 in any case, so only the storage differs: of
tensors that are small beside the features, and of squares before they are summed.

Others do the same: PyTorch's autocast computes pow, sum, prod, norm and cumsum in float32, transformers a
rotary embedding with autocast off, TensorRT requests float32 for a normalization's Pow and Reduce, ONNX
Runtime's converter does not convert CumSum and operators on coordinates.

Weighed: all of a network's float32 chains of element-wise operators, as autocast has them up to the next
product of matrices, which costs bandwidth and gains nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.lowering.operator import Sums
from desktop.compute.nn.ops import OPERATORS

_ANGLES: Final = frozenset({"sin", "cos", "tan"})
_POWERS: Final = frozenset({"square", "cube", "pow"})
_FEW: Final = 4
"""Most terms of a product of matrices that carries coordinates, which have as many numbers; one term more is
a sum over features.
"""
_MANY: Final = 64
"""Fewest elements of a sum that is stored in float32: fewer add little to the range, and the result of more
is small beside its input.
"""


def full_precision(graph: Graph) -> frozenset[str]:
    """Return the names of the values, constants included, that are stored in float32 whatever the others are.

    Coordinates and angles are traced from where they are read (`Operator.places`, sines) backward, up to the
    products of matrices and the like that make them. Sums (`Operator.sums`) are traced from where they are
    made, backward to the powers that they add up, and forward through values that are computed from them and
    no larger.
    """
    producers = graph.producers()
    found: set[str] = set()
    _go_back(graph, producers, [name for node in graph.nodes for name in _read_exactly(node, graph)], found)
    small: set[str] = set()
    for node in graph.nodes:
        if OPERATORS[node.op].sums is not None:
            powers = _powers(graph, node, producers)
            found.update(powers)
            if powers or _may_overflow(graph, node):
                small.add(node.outputs[0])
        elif small.intersection(_sources(node, graph)) and _is_small(graph, node, small):
            small.update(name for name in node.outputs if name)
    # A value computed from a sum and another value, such as the square of the mean, is only as good as its
    # worst part.
    for name in sorted(small):
        producer = producers[name]
        if OPERATORS[producer.op].sums is None:
            _go_back(graph, producers, _sources(producer, graph), small, most=graph.values[name].size)
    return frozenset(name for name in found | small if is_float(graph.values[name].dtype))


def _go_back(
    graph: Graph, producers: Mapping[str, Node], open_ends: list[str], found: set[str], most: float = math.inf
) -> None:
    """Add the values, and those that they are computed from by operators that carry coordinates; none of more
    elements than `most`.
    """
    while open_ends:
        name = open_ends.pop()
        if name in found or name not in graph.values or not is_float(graph.values[name].dtype):
            continue
        if graph.values[name].size > most:
            continue
        found.add(name)
        producer = producers.get(name)
        if producer is not None:
            open_ends += _sources(producer, graph)


def _read_exactly(node: Node, graph: Graph) -> list[str]:
    """Return the inputs of a node that are coordinates or become an angle."""
    names = [node.input(i) for i in OPERATORS[node.op].places]
    angles = [i for i, step in enumerate(node.epilogue) if step.kind in _ANGLES]
    if angles:
        names += [step.operand for step in node.epilogue[: angles[-1]]]
        names += [name for name in node.inputs if name] if _carries(node, graph) else []
    return [name for name in names if name]


def _sources(node: Node, graph: Graph) -> list[str]:
    """Return the inputs of a node whose rounding is the result's."""
    inputs = [name for name in node.inputs if name] if _carries(node, graph) else []
    return [*inputs, *(step.operand for step in node.epilogue if step.operand)]


def _carries(node: Node, graph: Graph) -> bool:
    operator = OPERATORS[node.op]
    if operator.multiply_adds is not None and is_float(graph.values[node.outputs[0]].dtype):
        return operator.multiply_adds(node, graph.shape) <= _FEW * graph.values[node.outputs[0]].size
    return bool(operator.carries or operator.view or operator.identity)


# -- sums ----------------------------------------------------------------------------------------------------


def _powers(graph: Graph, node: Node, producers: Mapping[str, Node]) -> list[str]:
    """Return the powers, or products of equals, that `node` adds up: its input, or values that are moved to
    become it.
    """
    name = node.inputs[0]
    # A mean of gated features is within their range.
    of_two = OPERATORS[node.op].sums is not Sums.MEAN
    moved: list[str] = []
    while name in producers:
        producer = producers[name]
        moved.append(name)
        if _is_power(graph, producer, of_two=of_two):
            return moved
        operator = OPERATORS[producer.op]
        if producer.epilogue or not (operator.view or operator.identity):
            break
        name = producer.inputs[0]
    return []


def _is_power(graph: Graph, node: Node, *, of_two: bool) -> bool:
    """Return True for a value that ends in a power, or is its product with itself; `of_two`: also with
    another value of its shape.
    """
    if node.op == "Pow" or any(step.kind in _POWERS for step in node.epilogue):
        return True
    if not node.epilogue or node.epilogue[0].kind != "mul" or not node.epilogue[0].operand:
        return False
    # A gate, x * sigmoid(x), is no power: the product is not the first step.
    other = node.epilogue[0].operand
    alike = other not in graph.constants and graph.shape(other) == graph.shape(node.outputs[0])
    return other == node.inputs[0] or (of_two and alike)


def _may_overflow(graph: Graph, node: Node) -> bool:
    """Return True for sums that may be out of the range of their terms."""
    sums = OPERATORS[node.op].sums
    if sums is not Sums.ELEMENTS:
        return sums is Sums.POWERS
    return graph.values[node.inputs[0]].size >= _MANY * graph.values[node.outputs[0]].size


def _is_small(graph: Graph, node: Node, sums: set[str]) -> bool:
    """Return True for a value that is computed from sums and is no larger than the largest of them."""
    largest = max(graph.values[name].size for name in sums.intersection(_sources(node, graph)))
    return all(graph.values[name].size <= largest for name in node.outputs if name)
