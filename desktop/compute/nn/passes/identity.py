"""Removes Identity, Dropout (the identity at inference) and casts to the type that is there, by joining the names before and after."""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.nn.graph import Graph, Node


def remove_identities(graph: Graph) -> Graph:
    """One between an input (or constant) and an output stays: an output needs memory of its own."""
    renamed: dict[str, str] = {}
    wanted = graph.pinned | graph.consumers().keys()
    nodes: list[Node] = []
    for node in graph.nodes:
        current = replace(node, inputs=tuple(renamed.get(name, name) for name in node.inputs))
        has_mask = any(name in wanted for name in current.outputs[1:])
        if not _is_identity(current, graph) or has_mask:
            nodes.append(current)
            continue
        source, result = current.inputs[0], current.outputs[0]
        if result not in graph.pinned:
            renamed[result] = source
        elif source in graph.pinned or source in graph.inputs or source in graph.constants:
            nodes.append(current)
        else:
            # The producer takes the output's name, and so do all that read it.
            renamed[source] = result
            nodes = [_rename(each, source, result) for each in nodes]
            renamed = {old: result if new == source else new for old, new in renamed.items()}
    return graph.with_nodes(nodes)


def _is_identity(node: Node, graph: Graph) -> bool:
    if node.op == "Cast":
        return graph.values[node.inputs[0]].dtype == graph.values[node.outputs[0]].dtype
    return node.op in ("Identity", "Dropout")


def _rename(node: Node, old: str, new: str) -> Node:
    swap = {old: new}
    return replace(
        node,
        inputs=tuple(swap.get(name, name) for name in node.inputs),
        outputs=tuple(swap.get(name, name) for name in node.outputs),
    )
