"""A normalization of a product's rows becomes output of the product, whose last dispatch may make both.

    y = x W + b + residual,   z = LayerNormalization(y)

Where workgroups share the product's depth, those that add the shares hold all of a row (kernels/shares.py).
Not in the next product's loads: each of its workgroups would read all its rows twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.normalization import RowNormalization, normalizes_rows

_PRODUCTS: Final = frozenset({"MatMul", "Gemm"})
_LEAST_DEPTH: Final = 64
"""A product of fewer terms has no depth to be shared, and may carry places (full_precision.py)."""


def join_normalizations(graph: Graph) -> Graph:
    """Make the first last-axis normalization of a product's result output 1 of that product."""
    return graph.with_nodes(_joined(graph))


def _joined(graph: Graph) -> Iterator[Node]:
    products = {node.outputs[0]: node for node in graph.nodes if _is_product(graph, node)}
    producers = graph.producers()
    found: dict[str, Node] = {}
    gone: set[int] = set()
    for node in graph.nodes:
        rows = _rows(graph, node.inputs[0], producers) if normalizes_rows(graph, node) else ""
        if rows in products and rows not in found:
            attributes = {**node.attributes, "axis": -1}
            found[rows] = replace(node, inputs=(rows, *node.inputs[1:]), attributes=attributes)
            gone.add(id(node))
    for node in graph.nodes:
        after = found.get(node.outputs[0]) if node.outputs[0] in products else None
        if after is not None:
            outputs = (node.outputs[0], after.outputs[0])
            yield replace(node, outputs=outputs).with_detail(RowNormalization(after))
        elif id(node) not in gone:
            yield node


def _rows(graph: Graph, name: str, producers: Mapping[str, Node]) -> str:
    """Return the normalized value, before the Reshape that `sink_reshapes` leaves behind a residual's sum."""
    node = producers.get(name)
    if node is None or node.op != "Reshape" or not node.is_plain:
        return name
    source = node.inputs[0]
    return source if graph.shape(source)[-1:] == graph.shape(name)[-1:] else name


def _is_product(graph: Graph, node: Node) -> bool:
    """By constant weights, with nothing else behind it, of a result that is no network's."""
    weights = graph.constants.get(node.input(1)) if node.op in _PRODUCTS else None
    if weights is None or weights.ndim != 2 or min(weights.shape) < _LEAST_DEPTH:
        return False
    return not node.details and not graph.pinned.intersection(node.outputs)


__all__ = ["join_normalizations"]
