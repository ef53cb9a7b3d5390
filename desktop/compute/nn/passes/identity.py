"""Removes nodes that change nothing, by joining names: Identity, Dropout (the identity at inference), casts to
the same type, and moves of nothing (a Slice of everything, a Pad by zeros, a Concat of one, an Expand or
Reshape to the same shape).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import row_major
from desktop.compute.nn.ops import OPERATORS


def remove_identities(graph: Graph) -> Graph:
    """One between an input (or constant) and an output stays: an output needs memory of its own."""
    renamed: dict[str, str] = {}

    def name_of(name: str) -> str:
        while name in renamed:
            name = renamed[name]
        return name

    wanted = graph.pinned | graph.consumers().keys()
    given = frozenset(graph.inputs)
    nodes: list[Node] = []
    for node in graph.nodes:
        has_mask = any(name in wanted for name in node.outputs[1:])
        if not _is_identity(node, graph) or has_mask:
            nodes.append(node)
            continue
        source, result = name_of(node.inputs[0]), node.outputs[0]
        if result not in graph.pinned:
            renamed[result] = source
        elif source in graph.pinned or source in given or source in graph.constants:
            nodes.append(node)
        else:  # the producer takes the output's name, and so do all that read it
            renamed[source] = result
    return graph.with_nodes(_renamed(node, name_of) for node in nodes)


def _is_identity(node: Node, graph: Graph) -> bool:
    source, result = graph.values.get(node.input(0)), graph.values.get(node.outputs[0])
    if source is None or result is None or source.dtype != result.dtype:
        return False
    return OPERATORS[node.op].identity or _moves_nothing(node, source, result, graph)


def _moves_nothing(node: Node, source: Value, result: Value, graph: Graph) -> bool:
    """True for a node that moves numbers and leaves each where it is."""
    operator = OPERATORS[node.op]
    if source.shape != result.shape or not source.size or not node.is_plain:
        return False
    if operator.idle is not None:
        return operator.idle(node, graph)
    whole = row_major(source.name, source.shape)
    return operator.view is not None and operator.view(node, result.name, whole, graph) == whole


def _renamed(node: Node, name_of: Callable[[str], str]) -> Node:
    inputs, outputs = (tuple(map(name_of, names)) for names in (node.inputs, node.outputs))
    return (
        node
        if inputs == node.inputs and outputs == node.outputs
        else replace(node, inputs=inputs, outputs=outputs)
    )
