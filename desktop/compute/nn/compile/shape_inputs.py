"""Find the inputs that need a value when a session is built, because shapes depend on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from desktop.compute.nn.ir.graph import Body, Graph, Node, Value
from desktop.compute.nn.lowering.operator import Operator

_LARGEST_SETTING: Final = 8
"""Largest number of elements of an input that is a setting."""


def is_setting(value: Value) -> bool:
    """Return True for an input that a caller can set at loading: a size, flag or factor, not an image."""
    return value.size <= _LARGEST_SETTING


def shape_inputs(graph: Graph, operators: Mapping[str, Operator]) -> tuple[str, ...]:
    """Return the inputs, in order, that lead to an operator input needed at build time (`Operator.host`)."""
    needed: set[str] = set()
    _collect(graph.nodes, operators, needed)
    return tuple(name for name in graph.inputs if name in needed)


def _collect(nodes: Sequence[Node], operators: Mapping[str, Operator], needed: set[str]) -> None:
    for node in reversed(nodes):
        operator = operators.get(node.op)
        if operator is not None:
            needed.update(filter(None, (node.input(index) for index in operator.host)))
        by_shape = operator is not None and operator.known is not None
        is_needed = needed.intersection(node.outputs) and not by_shape
        for body in node.attributes.values():
            if isinstance(body, Body):
                if is_needed:
                    needed.update(body.outputs)
                _collect(body.nodes, operators, needed)
                if needed.intersection(body.inputs):
                    needed.update(filter(None, node.inputs))
        if is_needed:
            needed.update(filter(None, node.inputs))
