"""ReduceMean over all pixels, and AveragePool of one window over the image, become GlobalAveragePool."""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.reduction import reduced_axes
from desktop.compute.nn.kernels.window import window


def make_global_pools(graph: Graph) -> Graph:
    """The kernel with a reduction in a workgroup is far faster than one thread a channel."""
    values = dict(graph.values)
    nodes = [made for node in graph.nodes for made in _rewrite(node, graph, values)]
    return replace(graph, nodes=tuple(nodes), values=values)


def _rewrite(node: Node, graph: Graph, values: dict[str, Value]) -> list[Node]:
    if node.op == "ReduceMean":
        return _reduced(node, graph, values)
    if node.op == "AveragePool":
        shape = graph.shape(node.inputs[0])
        if len(shape) > 4:
            return [node]
        found = window(node, shape, node.attributes.get("kernel_shape", ()))
        whole = found.kernel == found.input and found.dilations == (1, 1)
        if whole and found.before == found.after == (0, 0):
            return [replace(node, op="GlobalAveragePool", attributes={})]
    return [node]


def _reduced(node: Node, graph: Graph, values: dict[str, Value]) -> list[Node]:
    source = graph.values[node.inputs[0]]
    axes = reduced_axes(node, len(source.shape), graph.constants)
    if axes != set(range(2, len(source.shape))) or len(source.shape) < 3 or not is_float(source.dtype):
        return [node]
    pool = replace(node, op="GlobalAveragePool", inputs=node.inputs[:1], attributes={})
    if node.attributes.get("keepdims", 1):
        return [pool]
    name = f"{node.outputs[0]}:pooled"
    values[name] = replace(source, name=name, shape=(*source.shape[:2], *(1 for _ in source.shape[2:])))
    return [replace(pool, outputs=(name,)), Node("Reshape", node.name, (name,), node.outputs)]
