"""FLOPs of a graph's nodes: 2 x the multiply-adds of the operators that are sums of products (convolutions, matrix products, recurrent
cells, attention). Additions of a bias, activations, normalisations and movements of numbers are not counted, as is the custom.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.attention import Attention

Shapes = Callable[[str], tuple[int, ...]]
"""From a value's name to its shape."""


@dataclass(frozen=True)
class NodeCost:
    """FLOPs of one node."""

    name: str
    op: str
    flops: int


def _conv(node: Node, shape: Shapes) -> int:
    return math.prod(shape(node.outputs[0])) * math.prod(shape(node.inputs[1])[1:])


def _conv_transpose(node: Node, shape: Shapes) -> int:
    return math.prod(shape(node.inputs[0])) * math.prod(shape(node.inputs[1])[1:])


def _mat_mul(node: Node, shape: Shapes) -> int:
    return math.prod(shape(node.outputs[0])) * shape(node.inputs[0])[-1]


def _gemm(node: Node, shape: Shapes) -> int:
    across = 0 if node.attributes.get("transA", 0) else 1
    return math.prod(shape(node.outputs[0])) * shape(node.inputs[0])[across]


def _recurrent(node: Node, shape: Shapes) -> int:
    sequence, batch = shape(node.inputs[0])[:2]
    return sequence * batch * (math.prod(shape(node.inputs[1])) + math.prod(shape(node.inputs[2])))


def _attention(node: Node, shape: Shapes) -> int:
    query, result = math.prod(shape(node.inputs[0])), math.prod(shape(node.outputs[0]))
    keys = shape(node.inputs[1])[-2]
    if node.input(4):
        keys += shape(node.inputs[4])[-2]
    return (query + result) * keys


def _scaled_dot_product_attention(node: Node, shape: Shapes) -> int:
    how = node.detail(Attention)
    return 0 if how is None else how.multiply_adds


def _einsum(node: Node, shape: Shapes) -> int:
    if len(node.inputs) < 2:
        return 0
    terms = str(node.attributes["equation"]).replace(" ", "").split("->")[0].split(",")
    sizes: dict[str, int] = {}
    for term, name in zip(terms, node.inputs, strict=True):
        own = shape(name)
        if "." in term:  # an ellipsis stands for dimensions that have no letter: the result's size has them
            return math.prod(shape(node.outputs[0])) * max(own, default=1)
        for letter, size in zip(term, own, strict=True):
            sizes[letter] = max(size, sizes.get(letter, 1))
    return math.prod(sizes.values())


_PRODUCTS: Final[dict[str, Callable[[Node, Shapes], int]]] = {
    "Conv": _conv,
    "ConvInteger": _conv,
    "ConvTranspose": _conv_transpose,
    "MatMul": _mat_mul,
    "MatMulInteger": _mat_mul,
    "Gemm": _gemm,
    "LSTM": _recurrent,
    "GRU": _recurrent,
    "RNN": _recurrent,
    "Attention": _attention,
    "ScaledDotProductAttention": _scaled_dot_product_attention,
    "Einsum": _einsum,
}
"""Multiply-adds by operator."""


def multiply_adds(node: Node, shape: Shapes) -> int:
    """Multiply-adds of a node; 0 for an operator that is no sum of products."""
    count = _PRODUCTS.get(node.op)
    return count(node, shape) if count is not None else 0


def node_costs(graph: Graph) -> tuple[NodeCost, ...]:
    """The FLOPs of the graph's nodes that have any, in order."""

    def shape(name: str) -> tuple[int, ...]:
        return graph.constants[name].shape if name in graph.constants else graph.shape(name)

    counted = ((node, multiply_adds(node, shape)) for node in graph.nodes)
    return tuple(NodeCost(node.name, node.op, 2 * products) for node, products in counted if products)
