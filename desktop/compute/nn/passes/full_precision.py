"""Select the values that stay in float32 in a 16-bit network: coordinates, angles and sums of squares.

A float16 has 11 bits: a coordinate of 1900 is rounded to whole pixels, an angle of 981 to a half, which ruins
a warped image or sine. Squares of features of 300 or 2e-4 leave its range, and with them a normalization's
divisor. Sums within a kernel are always float32; only storage differs. PyTorch's autocast (pow, sum, prod,
norm, cumsum), TensorRT and ONNX Runtime's converter do the same.

Not all element-wise chains, as in autocast: it costs bandwidth and gains nothing.
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
"""Most terms of a product that carries coordinates; one term more is a sum over features."""
_MANY: Final = 64
"""Fewest elements of a sum that is stored in float32: fewer add little to the range."""


def full_precision(graph: Graph) -> frozenset[str]:
    """Return the names of values and constants that are stored in float32 whatever the others are.

    Coordinates and angles are traced from `Operator.places` and sines back to matrix products; sums
    (`Operator.sums`) back to their powers, and forward through values that are no larger.
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
    # A value computed from a sum and another value (a squared mean) is as good as its worst part.
    for name in sorted(small):
        producer = producers[name]
        if OPERATORS[producer.op].sums is None:
            _go_back(graph, producers, _sources(producer, graph), small, most=graph.values[name].size)
    return frozenset(name for name in found | small if is_float(graph.values[name].dtype))


def _go_back(
    graph: Graph, producers: Mapping[str, Node], open_ends: list[str], found: set[str], most: float = math.inf
) -> None:
    """Add the values, and what operators that carry coordinates compute them from, up to `most` elements."""
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
    """Return the powers, or products of equals, that `node` adds up, behind nodes that move values."""
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
    """Return True for a power or a product with itself; `of_two`: or with another value of its shape."""
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
