"""A normalisation spelled out in primitives becomes one InstanceNormalization or LayerNormalization.

    d = x - ReduceMean(x);  y = d / Sqrt(ReduceMean(d * d) + epsilon)

is what exporters write for both (Ulyanov, Vedaldi, Lempitsky, "Instance Normalization", 2016; Ba, Kiros, Hinton, "Layer
Normalization", 2016). As one node it is two or three dispatches instead of seven, and its sums and squares are float32 also where
tensors are kept in float16, which squares of unscaled pictures overflow.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node


def fuse_normalizations(graph: Graph) -> Graph:
    """The Div goes, and of what led to it all that nobody else reads; a layer's scale and bias join it where they are constants."""
    return _Rewriter(graph).run()


class _Rewriter:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._producers = graph.producers()
        self._consumers = graph.consumers()
        self._constants: dict[str, np.ndarray] = {}

    def run(self) -> Graph:
        nodes = []
        for node in self._graph.nodes:
            made = self._normalization(node) or self._with_parameter(node) or node
            self._producers.update({name: made for name in made.outputs if name})
            nodes.append(made)
        return self._graph.with_nodes(nodes, self._constants)

    def _made_by(self, name: str, *ops: str) -> Node | None:
        node = self._producers.get(name)
        return node if node is not None and node.op in ops and node.is_plain else None

    def _scalar(self, name: str) -> float | None:
        array = self._graph.constants.get(name)
        return float(array.reshape(-1)[0]) if array is not None and array.size == 1 else None

    def _normalization(self, node: Node) -> Node | None:
        if node.op != "Div" or not node.is_plain:
            return None
        difference, epsilon = self._made_by(node.inputs[0], "Sub"), None
        root = self._made_by(node.inputs[1], "Sqrt")
        total = self._made_by(root.inputs[0], "Add") if root else None
        if difference is None or total is None:
            return None
        for mean_square, added in (total.inputs, total.inputs[::-1]):
            epsilon = self._scalar(added)
            if epsilon is not None and epsilon >= 0 and self._is_mean_square(mean_square, difference):
                return self._node(node, difference, mean_square, epsilon)
        return None

    def _is_mean_square(self, name: str, difference: Node) -> bool:
        """Whether it is the mean of the squares of what `difference` computes, which is x less its mean over the same elements."""
        squares = self._averaged(name)
        means = self._averaged(difference.inputs[1])
        if squares is None or means is None or means != difference.inputs[0]:
            return False
        if self._graph.shape(name) != self._graph.shape(difference.inputs[1]):
            return False
        square = self._made_by(squares, "Mul", "Pow")
        if square is None or (square.op == "Pow" and self._scalar(square.inputs[1]) != 2):
            return False
        factors = square.inputs[: 1 if square.op == "Pow" else 2]
        made = [self._made_by(factor, "Sub") for factor in factors]
        return all(each is not None and each.inputs == difference.inputs for each in made)

    def _averaged(self, name: str) -> str | None:
        """What a ReduceMean averages over all of its last axes; a Reshape that joins them is looked through."""
        mean = self._made_by(name, "ReduceMean")
        if mean is None or not int(mean.attributes.get("keepdims", 1)):
            return None
        source = mean.inputs[0]
        reshape = self._made_by(source, "Reshape")
        if reshape is not None:
            source = reshape.inputs[0]
        shape, kept = self._graph.shape(source), self._graph.shape(name)
        start = self._first_axis(name, source)
        trailing = kept[:start] == shape[:start] and all(n == 1 for n in kept[start:])
        # Averaged are the last elements of the row-major tensor, so a Reshape in between changes nothing.
        inner = self._graph.shape(mean.inputs[0])
        axes = [i for i, (a, b) in enumerate(zip(inner, kept, strict=True)) if a != b]
        joined = bool(axes) and math.prod(inner[axes[0] :]) == math.prod(shape[start:])
        return source if trailing and joined and len(kept) == len(shape) else None

    def _first_axis(self, mean: str, source: str) -> int:
        shape, kept = self._graph.shape(source), self._graph.shape(mean)
        return next((i for i, (a, b) in enumerate(zip(shape, kept, strict=False)) if a != b), len(shape))

    def _node(self, node: Node, difference: Node, mean_square: str, epsilon: float) -> Node:
        x = difference.inputs[0]
        shape = self._graph.shape(x)
        axis = self._first_axis(mean_square, x)
        if axis == 2 and len(shape) > 3:  # of three dimensions, the second one is a transformer's tokens
            dtype = self._graph.values[x].dtype
            names = (f"{node.outputs[0]}:scale", f"{node.outputs[0]}:bias")
            self._constants.update({names[0]: np.ones(shape[1], dtype), names[1]: np.zeros(shape[1], dtype)})
            return replace(
                node, op="InstanceNormalization", inputs=(x, *names), attributes={"epsilon": epsilon}
            )
        return replace(
            node, op="LayerNormalization", inputs=(x,), attributes={"epsilon": epsilon, "axis": axis}
        )

    def _with_parameter(self, node: Node) -> Node | None:
        """A Mul or Add of a constant to a layer normalisation that lacks its scale or its bias."""
        if node.op not in ("Mul", "Add") or not node.is_plain:
            return None
        for name, constant in (node.inputs, node.inputs[::-1]):
            layer = self._made_by(name, "LayerNormalization")
            array = self._graph.constants.get(constant)
            if layer is None or array is None or not self._is_private(name):
                continue
            shape = self._graph.shape(name)
            fits = array.ndim <= len(shape) - int(layer.attributes.get("axis", -1)) % len(shape)
            if fits and len(layer.inputs) == (1 if node.op == "Mul" else 2) and layer.outputs[1:] == ():
                return replace(layer, outputs=node.outputs, inputs=(*layer.inputs, constant))
        return None

    def _is_private(self, name: str) -> bool:
        return len(self._consumers.get(name, ())) == 1 and name not in self._graph.pinned
