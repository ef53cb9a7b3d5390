"""Every element-wise operator becomes an `Elementwise` node whose epilogue is its step, so that one pass can fuse them all."""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.nn.graph import INTERNAL, Graph
from desktop.compute.nn.ops import OPERATORS


def make_elementwise(graph: Graph) -> Graph:
    """Scalars become numbers in the shader; other operands stay names."""
    nodes = []
    for node in graph.nodes:
        operator = OPERATORS[node.op]
        if operator.steps is not None:
            base, steps = operator.steps(node, graph)
            node = replace(
                node, op="Elementwise", domain=INTERNAL, inputs=(base,), attributes={}, epilogue=steps
            )
        nodes.append(node)
    return graph.with_nodes(nodes)
