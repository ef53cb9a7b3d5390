"""GELU spelled out becomes one element-wise step, which the kernel that computes x can then take.

    x / sqrt(2) -> Erf -> + 1 -> * x -> * 0.5        or        sqrt(2 / pi) (x + 0.044715 x^3) -> Tanh -> + 1 -> * x -> * 0.5

with the products in any order, is what exporters write before opset 20 (Hendrycks, Gimpel, "Gaussian Error Linear Units", 2016).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node
from desktop.compute.nn.passes.moves import factor_of, scalar_of

_CLOSE: Final = 1e-3
"""Relative: a constant may have been rounded to float16."""
_FARTHEST: Final = 4
"""Products by constants in a row that are seen through: nobody writes more, but a file that was made to do harm."""


def fuse_gelu(graph: Graph) -> Graph:
    """What leads to the last product goes with it unless somebody else reads it (then it is computed besides)."""
    finder = _Finder(graph)
    return graph.with_nodes(finder.rewritten(node) for node in graph.nodes)


class _Finder:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._producers = graph.producers()

    def rewritten(self, node: Node) -> Node:
        """The step in place of a node that ends a GELU; any other as it is."""
        if node.op != "Mul" or not node.is_plain or len(node.inputs) != 2:
            return node
        shape = self._graph.shape(node.outputs[0])
        for x, gate in self._halved_products(node):
            kind = self._kind(gate, x)
            if kind and self._graph.shape(x) == shape:
                return replace(
                    node,
                    op="Elementwise",
                    domain=INTERNAL,
                    inputs=(x,),
                    attributes={},
                    epilogue=(Step(kind),),
                )
        return node

    def _made_by(self, name: str, op: str) -> Node | None:
        node = self._producers.get(name)
        return node if node is not None and node.op == op and node.is_plain else None

    def _halved_products(self, node: Node) -> Iterator[tuple[str, str]]:
        """Pairs (a, b), both ways round, where the node computes a * b / 2."""
        whole, factor = self._scaled(node.outputs[0])
        product = self._made_by(whole, "Mul")
        if product is None:
            return
        for one, other in (product.inputs, product.inputs[::-1]):
            (a, by), (b, further) = self._scaled(one), self._scaled(other)
            for first, second, number in ((one, b, further), (a, b, by * further)):
                if math.isclose(factor * number, 0.5, rel_tol=_CLOSE):
                    yield first, second
                    yield second, first

    def _scaled(self, name: str) -> tuple[str, float]:
        """What `name` is a multiple of, and by how much."""
        factor = 1.0
        for _ in range(_FARTHEST):
            node = self._producers.get(name)
            found = factor_of(self._graph, node) if node is not None else None
            if found is None:
                break
            name, factor = found[0], factor * found[1]
        return name, factor

    def _kind(self, gate: str, x: str) -> str:
        """'gelu' or 'gelu_tanh' where `gate` is 1 + Erf or 1 + Tanh of what belongs to x; else ''."""
        total = self._made_by(gate, "Add")
        for inner, one in (total.inputs, total.inputs[::-1]) if total is not None else ():
            if scalar_of(self._graph, one) != 1.0:
                continue
            erf, tanh = self._made_by(inner, "Erf"), self._made_by(inner, "Tanh")
            if erf is not None and self._is_multiple(erf.inputs[0], x, math.sqrt(0.5)):
                return "gelu"
            if tanh is not None and self._is_cubic(tanh.inputs[0], x):
                return "gelu_tanh"
        return ""

    def _is_multiple(self, name: str, x: str, factor: float) -> bool:
        source, found = self._scaled(name)
        return source == x and math.isclose(found, factor, rel_tol=_CLOSE)

    def _is_cubic(self, name: str, x: str) -> bool:
        """Whether it is sqrt(2 / pi) (x + 0.044715 x^3)."""
        source, factor = self._scaled(name)
        total = self._made_by(source, "Add")
        if total is None or not math.isclose(factor, math.sqrt(2 / math.pi), rel_tol=_CLOSE):
            return False
        for first, second in (total.inputs, total.inputs[::-1]):
            cube, by = self._scaled(second)
            if first == x and math.isclose(by, 0.044715, rel_tol=_CLOSE) and self._is_cube(cube, x):
                return True
        return False

    def _is_cube(self, name: str, x: str) -> bool:
        power = self._made_by(name, "Pow")
        if power is not None:
            return power.inputs[0] == x and scalar_of(self._graph, power.inputs[1]) == 3.0
        product = self._made_by(name, "Mul")
        if product is None:
            return False
        inner = self._made_by(next((each for each in product.inputs if each != x), ""), "Mul")
        return inner is not None and x in product.inputs and tuple(inner.inputs) == (x, x)
