"""ReduceMean over all pixels, and AveragePool with one window over the whole picture, become GlobalAveragePool."""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.nn.graph import Graph, Node
from desktop.compute.nn.operator import refuse_unless
from desktop.compute.nn.ops.reduce_mean import reduced_axes
from desktop.compute.nn.window import window


def make_global_pools(graph: Graph) -> Graph:
    """The kernel with a reduction in a workgroup is far faster than one thread a channel."""
    return graph.with_nodes(_rewrite(node, graph) for node in graph.nodes)


def _rewrite(node: Node, graph: Graph) -> Node:
    if node.op == "ReduceMean":
        shape = graph.shape(node.inputs[0])
        axes = reduced_axes(node, len(shape), graph.constants)
        pixels = set(range(2, len(shape)))
        keeps = bool(node.attributes.get("keepdims", 1))
        refuse_unless(
            axes == pixels and keeps and len(shape) > 2,
            node,
            "other axes than all pixels, kept as dimensions",
        )
        return replace(node, op="GlobalAveragePool", inputs=node.inputs[:1], attributes={})
    if node.op == "AveragePool":
        shape = graph.shape(node.inputs[0])
        found = window(node, shape, node.attributes.get("kernel_shape", ()))
        if found.kernel == found.input and found.before == found.after == (0, 0):
            return replace(node, op="GlobalAveragePool", attributes={})
    return node
