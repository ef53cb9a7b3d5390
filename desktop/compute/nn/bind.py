"""Which inputs must have a value when a session is built, because shapes hang on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop.compute.nn.graph import Graph
from desktop.compute.nn.operator import Operator

_SHAPE_ONLY: Final = frozenset({"Shape", "Size"})
"""Operators whose result hangs on the shape of their input, not on its values."""


def shape_inputs(graph: Graph, operators: Mapping[str, Operator]) -> tuple[str, ...]:
    """The graph's inputs that reach an input which an operator needs at build time (`Operator.host`), in the graph's order."""
    needed: set[str] = set()
    for node in reversed(graph.nodes):
        operator = operators.get(node.op)
        if operator is not None:
            needed.update(node.input(index) for index in operator.host)
        if needed.intersection(node.outputs) and node.op not in _SHAPE_ONLY:
            needed.update(node.inputs)
    return tuple(name for name in graph.inputs if name in needed)
