"""A product whose result is only cut into parts becomes a product for each part, with its columns of the weights.

    Split(MatMul(x, W) + b)  is  MatMul(x, W1) + b1, MatMul(x, W2) + b2, ...

as gated layers have it (Shazeer, "GLU Variants Improve Transformer", 2020). The parts are then no copies, and the second one takes the
gate up in its epilogue: two dispatches instead of four. Attention reads queries, keys and values where they lie in one result, so that this
comes after it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.lowering.operator import axis_of
from desktop.compute.nn.passes.pattern import Matcher

_NARROWEST = 64
"""Columns of a part, below which a product of its own would leave most of a GPU idle."""


def split_products(graph: Graph) -> Graph:
    """Splits along the last axis of a product by constant weights, with or without a bias."""
    return _Rewriter(graph).run()


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
        if node.op != "Split" or not node.is_plain:
            return []
        shape, sizes = (
            self._graph.shape(node.inputs[0]),
            [self._graph.shape(name)[-1:] for name in node.outputs if name],
        )
        axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
        wide = all(size and size[0] % 4 == 0 and size[0] >= _NARROWEST for size in sizes)
        if axis != len(shape) - 1 or not wide or len(sizes) != len(node.outputs):
            return []
        add = self._private(node.inputs[0], "Add")
        names = (node.inputs[0],) if add is None else add.inputs
        products = [(name, self._private(name, "MatMul")) for name in names]
        name, product = next(((n, p) for n, p in products if p is not None), ("", None))
        bias = next((n for n in names if n != name), "")
        if product is None or not self._is_row(product.inputs[1], 2) or (bias and not self._is_row(bias, 1)):
            return []
        ends = list(accumulate((size[0] for size in sizes), initial=0))
        made = [self._part(node, at, product, bias, *ends[at : at + 2]) for at in range(len(sizes))]
        return [each for part in made for each in part]

    def _private(self, name: str, op: str) -> Node | None:
        node = self._matcher.made_by(name, op)
        return node if node is not None and self._matcher.is_private(name) else None

    def _is_row(self, name: str, rank: int) -> bool:
        array = self._graph.constants.get(name)
        return array is not None and array.ndim == rank

    def _part(self, node: Node, at: int, product: Node, bias: str, start: int, stop: int) -> list[Node]:
        output = node.outputs[at]
        weights = self._cut(product.inputs[1], output, start, stop)
        result = f"{output}:product" if bias else output
        made = [replace(product, name=output, inputs=(product.inputs[0], weights), outputs=(result,))]
        if bias:
            self._values[result] = replace(self._values[output], name=result)
            inputs = (result, self._cut(bias, output, start, stop))
            made.append(Node("Add", f"{output}:bias", inputs, (output,), version=product.version))
        return made

    def _cut(self, name: str, output: str, start: int, stop: int) -> str:
        part = np.ascontiguousarray(self._graph.constants[name][..., start:stop])
        own = f"{output}:{name}"
        self._constants[own], self._values[own] = part, Value(own, part.shape, part.dtype.name)
        return own
