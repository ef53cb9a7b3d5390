"""A Transpose before a product of computed matrices becomes the order in which the product reads its factor.

    MatMul(q, Transpose(k))  reads k with other steps

Behind attention, which sees through moves itself. A product by constant weights reads whole rows instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.products import Orders
from desktop.compute.nn.ops.layout import order_of

_LEAST_RANK: Final = 2


def fold_transposes(graph: Graph) -> Graph:
    """Fold the Transposes of both factors of each product; those that nothing else reads are then unused."""
    producers = graph.producers()
    return graph.with_nodes(_folded(graph, node, producers) for node in graph.nodes)


def _folded(graph: Graph, node: Node, producers: Mapping[str, Node]) -> Node:
    if node.op != "MatMul" or not node.is_plain or node.inputs[1] in graph.constants:
        return node
    found = [_transpose(graph, producers.get(name)) for name in node.inputs]
    if not any(found):
        return node
    names = [name if each is None else each.inputs[0] for name, each in zip(node.inputs, found, strict=True)]
    left, right = (() if each is None else tuple(_order(graph, each)) for each in found)
    return replace(node, inputs=tuple(names)).with_detail(Orders(left, right))


def _transpose(graph: Graph, node: Node | None) -> Node | None:
    """Return the node if it is a Transpose of floats that the network computes."""
    if node is None or node.op != "Transpose" or not node.is_plain:
        return None
    source = graph.values[node.inputs[0]]
    known = source.name in graph.constants or not is_float(source.dtype)
    return None if known or len(source.shape) < _LEAST_RANK else node


def _order(graph: Graph, node: Node) -> list[int]:
    return order_of(node, len(graph.shape(node.inputs[0])))


__all__ = ["fold_transposes"]
