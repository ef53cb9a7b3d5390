"""FLOPs of a graph's nodes: 2 x the multiply-adds of the operators that are sums of products (convolutions, matrix products, recurrent
cells, attention). Additions of a bias, activations, normalisations and movements of numbers are not counted, as is the custom.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Shapes
from desktop.compute.nn.ops import OPERATORS


@dataclass(frozen=True)
class NodeCost:
    """FLOPs of one node."""

    name: str
    op: str
    flops: int


def multiply_adds(node: Node, shape: Shapes) -> int:
    """Multiply-adds of a node; 0 for an operator that is no sum of products."""
    count = OPERATORS[node.op].multiply_adds
    return 0 if count is None else count(node, shape)


def node_costs(graph: Graph) -> tuple[NodeCost, ...]:
    """The FLOPs of the graph's nodes that have any, in order."""

    def shape(name: str) -> tuple[int, ...]:
        return graph.constants[name].shape if name in graph.constants else graph.shape(name)

    counted = ((node, multiply_adds(node, shape)) for node in graph.nodes)
    return tuple(NodeCost(node.name, node.op, 2 * products) for node, products in counted if products)
