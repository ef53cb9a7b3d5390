"""Count a graph's FLOPs: 2 x the multiply-adds of convolutions, products, recurrent cells and attention."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.ops import OPERATORS


@dataclass(frozen=True)
class NodeCost:
    """FLOPs of a node."""

    name: str
    op: str
    flops: int


def node_costs(graph: Graph) -> tuple[NodeCost, ...]:
    """Return the FLOPs of the nodes that have any, in order."""

    def shape(name: str) -> tuple[int, ...]:
        return graph.constants[name].shape if name in graph.constants else graph.shape(name)

    counted = ((node, OPERATORS[node.op].multiply_adds) for node in graph.nodes)
    costs = (
        NodeCost(node.name, node.op, 2 * count(node, shape)) for node, count in counted if count is not None
    )
    return tuple(cost for cost in costs if cost.flops)
