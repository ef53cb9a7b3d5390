"""Trace a tensor back through nodes that only move numbers, to a strided view of a computed tensor.

    q = Transpose(Reshape(Split(x)))

is x with another first element and strides (views.py), which kernels with strides read directly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.ir.views import TensorView, row_major
from desktop.compute.nn.ops import OPERATORS

_FARTHEST: Final = 32
"""Most nodes that are traced; exporters write ten in a row, a malicious file any number."""


def scalar_of(graph: Graph, name: str) -> float | None:
    """Return the number in a constant of one element; None for any other value."""
    array = graph.constants.get(name)
    return float(array.reshape(-1)[0]) if array is not None and array.size == 1 else None


def factor_of(graph: Graph, node: Node) -> tuple[str, float] | None:
    """Return the value and the finite nonzero number that `node` multiplies; None for any other node."""
    if node.op not in ("Mul", "Div") or not node.is_plain:
        return None
    pairs = [node.inputs, node.inputs[::-1]] if node.op == "Mul" else [node.inputs]
    for name, number in pairs:
        factor = scalar_of(graph, number)
        if factor and np.isfinite(factor) and graph.shape(name) == graph.shape(node.outputs[0]):
            return name, factor if node.op == "Mul" else 1.0 / factor
    return None


class Views:
    """Views of a graph's tensors. Integers are not traced: they are stored otherwise than floats."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._producers = graph.producers()
        self._stops: set[str] = set()

    def stop_at(self, name: str) -> None:
        """See through `name` no more: a pass has given it a node that computes it."""
        self._stops.add(name)

    def of(self, name: str, reach: int = _FARTHEST) -> TensorView:
        """Return the view that `name` is; of itself if its node computes something."""
        node = None if name in self._stops else self._producers.get(name)
        floats = is_float(self._graph.values[name].dtype)
        if node is not None and reach and floats and node.is_plain:
            scaled = factor_of(self._graph, node)
            if scaled is not None:
                seen = self.of(scaled[0], reach - 1)
                return replace(seen, factor=seen.factor * scaled[1])
            view = OPERATORS[node.op].view
            moved = view and view(node, name, self.of(node.inputs[0], reach - 1), self._graph)
            if moved is not None:
                return moved
        return row_major(name, self._graph.shape(name))

    def matrices(self, name: str) -> TensorView:
        """Return the view if it is of matrices, else `name` itself."""
        seen = self.of(name)
        return seen if seen.is_of_matrices else row_major(name, self._graph.shape(name))
