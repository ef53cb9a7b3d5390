"""A product whose result is only cut into parts becomes a product per part, with its columns of the weights.

    Split(MatMul(x, W) + b)  is  MatMul(x, W1) + b1, MatMul(x, W2) + b2, ...

as in gated layers (Shazeer, "GLU Variants Improve Transformer", 2020). The parts need no copies, and the
second takes the gate into its epilogue: two dispatches, not four. Runs after attention.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import row_major
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.passes.pattern import Matcher

_NARROWEST = 64
"""Columns of a part, below which a product of its own would leave most of a GPU idle."""


def split_products(graph: Graph) -> Graph:
    """Parts along the last axis of a product by constant weights, with or without a bias."""
    return _Rewriter(graph).run()


def can_be_cut(columns: int) -> bool:
    """True for as many columns as a part of its own may have."""
    return columns % 4 == 0 and columns >= _NARROWEST


def has_rank(graph: Graph, name: str, rank: int) -> bool:
    """True for a constant of `rank` dimensions."""
    array = graph.constants.get(name)
    return array is not None and array.ndim == rank


@dataclass(frozen=True)
class _Product:
    """MatMul and, with a `bias`, the Add behind it."""

    node: Node
    bias: str


class _Rewriter:
    """One walk over a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._matcher = Matcher(graph)
        self._values = dict(graph.values)
        self._constants = dict(graph.constants)

    def run(self) -> Graph:
        """The graph after all that apply; what is needed no more is another pass's."""
        nodes = [each for node in self._graph.nodes for each in self._parts(node) or (node,)]
        return replace(self._graph, nodes=tuple(nodes), values=self._values, constants=self._constants)

    def _parts(self, node: Node) -> list[Node]:
        """Return the replacement of a node that cuts, if all readers of the product cut it."""
        source = node.inputs[0] if node.op in ("Split", "Slice") else ""
        product = self._product(source) if source else None
        if product is None or self._columns(source) is None:
            return []
        starts = self._cuts(node)
        assert starts is not None
        return [each for name, start in starts.items() for each in self._part(name, start, product)]

    def _columns(self, source: str) -> int | None:
        """Return the columns of all parts; None unless all readers of the product are parts of its rows."""
        total = 0
        for reader in self._matcher.readers_of(source):
            starts = self._cuts(reader)
            if starts is None or reader.inputs[0] != source:
                return None
            total += sum(self._graph.shape(name)[-1] for name in starts)
        return total if total <= self._graph.shape(source)[-1] else None

    def _cuts(self, node: Node) -> dict[str, int] | None:
        """The first column of each part; None for what is no cut of the last axis, or a narrow one."""
        if node.op not in ("Split", "Slice") or not node.is_plain or not all(node.outputs):
            return None
        whole = row_major(node.inputs[0], self._graph.shape(node.inputs[0]))
        view = OPERATORS[node.op].view
        starts = {}
        for name in node.outputs:
            seen, width = view(node, name, whole, self._graph) if view else None, self._graph.shape(name)[-1:]
            if seen is None or not width or not can_be_cut(width[0]):
                return None
            if seen != whole.cut(len(whole.axes) - 1, seen.first, width[0]):
                return None
            starts[name] = seen.first
        return starts

    def _product(self, source: str) -> _Product | None:
        readers = len(self._matcher.readers_of(source))
        add = self._private(source, "Add", readers)
        names = (source,) if add is None else add.inputs
        for name in names:
            node = self._private(name, "MatMul", readers if add is None else 1)
            bias = next((each for each in names if each != name), "")
            columns = self._graph.shape(source)[-1]
            # Neither weights nor bias of one column that is stretched: they could not be cut.
            if (
                node is not None
                and has_rank(self._graph, node.inputs[1], 2)
                and self._graph.shape(name)[-1] == columns
                and (not bias or (has_rank(self._graph, bias, 1) and self._graph.shape(bias) == (columns,)))
            ):
                return _Product(node, bias)
        return None

    def _private(self, name: str, op: str, readers: int) -> Node | None:
        node = self._matcher.made_by(name, op)
        return node if node is not None and self._matcher.is_private(name, readers) else None

    def _part(self, output: str, start: int, product: _Product) -> list[Node]:
        node, result = product.node, f"{output}:product" if product.bias else output
        weights = self._cut(node.inputs[1], output, start)
        made = [replace(node, name=output, inputs=(node.inputs[0], weights), outputs=(result,))]
        if product.bias:
            self._values[result] = replace(self._values[output], name=result)
            inputs = (result, self._cut(product.bias, output, start))
            made.append(Node("Add", f"{output}:bias", inputs, (output,), version=node.version))
        return made

    def _cut(self, name: str, output: str, start: int) -> str:
        columns = self._graph.shape(output)[-1]
        part = np.ascontiguousarray(self._graph.constants[name][..., start : start + columns])
        own = f"{output}:{name}"
        self._constants[own], self._values[own] = part, Value(own, part.shape, part.dtype.name)
        return own
