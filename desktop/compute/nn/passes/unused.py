"""Removes nodes whose results are not read."""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Graph


def remove_unused(graph: Graph) -> Graph:
    """Keep what the outputs and the kept values need."""
    needed = set(graph.pinned)
    nodes = []
    for node in reversed(graph.nodes):
        if needed.intersection(node.outputs):
            needed.update(node.reads)
            nodes.append(node)
    return graph.with_nodes(reversed(nodes))
