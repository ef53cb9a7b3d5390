"""Which values stay in float32 where a network is computed in 16 bits: places and angles, whose absolute error counts.

A float16 has 11 bits: a place at 1900 pixels is rounded to whole ones, an angle of 981 to a half. What is computed from them (a warped
picture, a sine) is then off by far more than a rounding of its own. Sums are float32 in any case, so only the storage differs, of tensors
that are small beside the features.

Weighed: all of a network's float32 chains of element-wise operators, which costs bandwidth where nothing is gained.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.ops import OPERATORS

_ANGLES: Final = frozenset({"sin", "cos", "tan"})


def full_precision(graph: Graph) -> frozenset[str]:
    """Names of the values, constants among them, that lie in float32 whatever the others do.

    They are found from where they are read (`Operator.places`, sines) backward, up to the products of matrices and the like that make them.
    """
    producers = graph.producers()
    found: set[str] = set()
    open_ends = [name for node in graph.nodes for name in _read_exactly(node)]
    while open_ends:
        name = open_ends.pop()
        if name in found or name not in graph.values or not is_float(graph.values[name].dtype):
            continue
        found.add(name)
        producer = producers.get(name)
        if producer is not None:
            open_ends += _sources(producer)
    return frozenset(found)


def _read_exactly(node: Node) -> list[str]:
    """What a node reads that names places, or becomes an angle."""
    names = [node.input(i) for i in OPERATORS[node.op].places]
    angles = [i for i, step in enumerate(node.epilogue) if step.kind in _ANGLES]
    if angles:
        names += [step.operand for step in node.epilogue[: angles[-1]]]
        names += _inputs(node)
    return [name for name in names if name]


def _sources(node: Node) -> list[str]:
    return [*_inputs(node), *(step.operand for step in node.epilogue if step.operand)]


def _inputs(node: Node) -> list[str]:
    """The inputs whose rounding is the result's."""
    operator = OPERATORS[node.op]
    carries = operator.carries or operator.view or operator.identity
    return [name for name in node.inputs if name] if carries else []
