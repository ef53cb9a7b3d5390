"""Moves a Reshape behind the residual Add that reads it, so that the Add joins the product before both.

    Add(Reshape(Gemm(x)), r)  is  Reshape(Add(Gemm(x), Reshape(r)))

for transformers' tokens; row-major bytes do not change with a Reshape.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ops.layout import order_of

_PRODUCTS: Final = ("Gemm", "MatMul")
_FARTHEST: Final = 8
"""Reshapes in a row that are looked through; exporters write three."""


def sink_reshapes(graph: Graph) -> Graph:
    """Each Add of a product's rows, which nothing else reads, and of a tensor that was there before them."""
    return _Rewriter(graph).run()


class _Rewriter:
    """One walk over a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._values = dict(graph.values)
        self._producers = graph.producers()
        self._consumers = graph.consumers()
        self._before: dict[
            str, list[Node]
        ] = {}  # reshaped residuals, by the product that they have to precede

    def run(self) -> Graph:
        """The graph after all that apply."""
        nodes = [each for node in self._graph.nodes for each in self._rewritten(node) or (node,)]
        placed = [each for node in nodes for each in (*self._before.pop(node.outputs[0], ()), node)]
        return replace(self._graph, nodes=tuple(placed), values=self._values)

    def _rewritten(self, node: Node) -> tuple[Node, ...]:
        if node.op != "Add" or not node.is_plain:
            return ()
        shape = self._graph.shape(node.outputs[0])
        for branch, residual in (node.inputs, node.inputs[::-1]):
            rows = self._rows(branch) if self._graph.shape(branch) == shape else ""
            if rows and residual not in self._graph.constants and self._graph.shape(residual) == shape:
                place = self._graph.places
                if place.get(residual, -1) < place[rows]:
                    return self._sunk(node, rows, residual)
        return ()

    def _rows(self, name: str) -> str:
        """The product whose result only `name` reads, reshaped with the last dimension kept; '' if none."""
        graph, columns, moved = self._graph, self._graph.shape(name)[-1:], False
        for _ in range(_FARTHEST):
            node = self._producers.get(name)
            if node is None or name in graph.pinned or len(self._consumers[name]) != 1:
                return ""
            if node.op in _PRODUCTS:
                is_rows = len(graph.shape(name)) >= 2 and graph.shape(name)[-1:] == columns
                return name if moved and node.inputs[1] in graph.constants and is_rows else ""
            if not (node.is_plain and self._preserves_order(node)):
                return ""
            name, moved = node.inputs[0], True
        return ""

    def _preserves_order(self, node: Node) -> bool:
        if node.op == "Transpose":
            shape = self._graph.shape(node.inputs[0])
            order = [axis for axis in order_of(node, len(shape)) if shape[axis] != 1]
            return order == sorted(order)
        return node.op in ("Reshape", "Squeeze", "Unsqueeze", "Flatten")

    def _sunk(self, node: Node, rows: str, residual: str) -> tuple[Node, ...]:
        own, total = f"{node.outputs[0]}:residual", f"{node.outputs[0]}:rows"
        for name in (own, total):
            self._values[name] = Value(name, self._graph.shape(rows), self._graph.values[rows].dtype)
        self._before.setdefault(rows, []).append(Node("Reshape", own, (residual,), (own,)))
        add = replace(node, inputs=(rows, own), outputs=(total,))
        return add, Node("Reshape", f"{node.name}:reshaped", (total,), node.outputs)
