"""Gemms of one and the same row become one Gemm where each result is broadcast into a larger tensor.

    Add(x1, Gemm(t, W1)), Add(x2, Gemm(t, W2)), ...  is  Add(x1, t1), Add(x2, t2), ...
    with  t1, t2, ... = Split(Reshape(Gemm(t, [W1 W2 ...]), (1, columns, 1, ...)))

Diffusion networks add the embedded time step to every block this way, and each of these products takes little longer than
the launch of its dispatch (Stable Diffusion 1.5's UNet has 22). A product that is followed by an activation is left alone,
as that is computed in its dispatch. `merge_products` merges MatMuls of any number of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.passes.pattern import Matcher

_MOVES: Final = frozenset({"Unsqueeze", "Reshape", "Squeeze", "Flatten"})
_BROADCASTS: Final = frozenset({"Add", "Mul", "Sub"})
_LARGEST: Final = (128 << 20) // 4
"""Most numbers of merged weights, in float32, that WebGPU's default limits let any adapter bind."""


@dataclass(frozen=True)
class _Part:
    """A product of one row, and the nodes that reshape it for its reader, to (1, columns, 1, ...)."""

    node: Node
    moves: tuple[Node, ...]

    @property
    def output(self) -> str:
        """What the reader reads."""
        return (self.moves[-1] if self.moves else self.node).outputs[0]

    @property
    def replaced(self) -> tuple[Node, ...]:
        """Nodes that are replaced."""
        return (self.node, *self.moves)


def merge_rows(graph: Graph) -> Graph:
    """Each group takes the place of its first product."""
    groups = _groups(graph)
    first = {id(parts[0].node): parts for parts in groups}
    gone = {id(node) for parts in groups for part in parts for node in part.replaced}
    nodes: list[Node] = []
    constants, values = dict(graph.constants), dict(graph.values)
    for node in graph.nodes:
        if id(node) in first:
            nodes += _merge(graph, first[id(node)], constants, values)
        elif id(node) not in gone:
            nodes.append(node)
    return replace(graph, nodes=tuple(nodes), values=values, constants=constants)


def _groups(graph: Graph) -> list[list[_Part]]:
    """The products that have a row in common, where there are several, as many as have `_LARGEST` weights."""
    matcher = Matcher(graph)
    groups: dict[tuple[str, int, str], list[list[_Part]]] = {}
    for node in graph.nodes:
        part = _broadcast(matcher, node) if _is_row(matcher, node) else None
        if part is None:
            continue
        key = (node.inputs[0], len(graph.shape(part.output)), graph.constants[node.inputs[1]].dtype.name)
        own = groups.setdefault(key, [[]])
        if _weights(graph, [*own[-1], part]) > _LARGEST:
            own.append([])
        own[-1].append(part)
    return [parts for own in groups.values() for parts in own if len(parts) > 1]


def _weights(graph: Graph, parts: Sequence[_Part]) -> int:
    """Number of the merged weights."""
    return sum(graph.constants[part.node.inputs[1]].size for part in parts)


def _is_row(matcher: Matcher, node: Node) -> bool:
    """True for an unscaled product of one row by constant weights of its own, with a constant bias or none, and with columns
    in whole vec4s.
    """
    graph = matcher.graph
    if node.op != "Gemm" or not node.is_plain or graph.shape(node.outputs[0])[0] != 1:
        return False
    columns = graph.shape(node.outputs[0])[1]
    weights, bias = graph.constants.get(node.inputs[1]), graph.constants.get(node.input(2))
    is_scaled = any(float(node.attributes.get(name, 1.0)) != 1.0 for name in ("alpha", "beta"))
    has_bias = not node.input(2) or (bias is not None and bias.size == columns)
    is_plain = not is_scaled and not node.attributes.get("transA", 0) and has_bias
    is_own = len(matcher.readers_of(node.inputs[1])) == 1  # else the weights would be stored twice
    return weights is not None and is_own and is_plain and columns % 4 == 0


def _broadcast(matcher: Matcher, node: Node) -> _Part | None:
    """Return a product whose only reader combines it with a larger tensor; None for others."""
    graph, name = matcher.graph, node.outputs[0]
    columns = graph.shape(name)[1]
    moves: list[Node] = []
    while matcher.is_private(name) and (reader := matcher.readers_of(name)[0]).is_plain:
        if reader.op in _BROADCASTS and graph.values[reader.outputs[0]].size > columns:
            shape = graph.shape(name)
            return _Part(node, tuple(moves)) if shape == (1, columns, *[1] * (len(shape) - 2)) else None
        if reader.op not in _MOVES or reader.inputs[0] != name:
            return None
        moves.append(reader)
        name = reader.outputs[0]
    return None


def _merge(
    graph: Graph, parts: Sequence[_Part], constants: dict[str, np.ndarray], values: dict[str, Value]
) -> list[Node]:
    """Return the nodes that replace `parts`; add their constants and values."""
    one = parts[0].node
    product, merged = f"{one.outputs[0]}:product", f"{one.outputs[0]}:merged"
    widths = [graph.shape(part.output)[1] for part in parts]
    shape = (1, sum(widths), *graph.shape(parts[0].output)[2:])
    added = {
        f"{merged}:weights": np.concatenate([_rows_of(graph, part.node) for part in parts]),
        f"{merged}:bias": np.concatenate([_bias_of(graph, part.node) for part in parts]),
        f"{merged}:shape": np.array(shape, np.int64),
        f"{merged}:sizes": np.array(widths, np.int64),
    }
    constants |= added
    values |= {name: Value(name, array.shape, array.dtype.name) for name, array in added.items()}
    dtype = values[one.outputs[0]].dtype
    values |= {product: Value(product, shape[:2], dtype), merged: Value(merged, shape, dtype)}
    inputs = (one.inputs[0], f"{merged}:weights", f"{merged}:bias")
    outputs = tuple(part.output for part in parts)
    return [
        replace(one, name=product, inputs=inputs, outputs=(product,), attributes={"transB": 1}),
        Node("Reshape", merged, (product, f"{merged}:shape"), (merged,), version=13),
        Node(
            "Split",
            f"{merged}:split",
            (merged, f"{merged}:sizes"),
            outputs,
            attributes={"axis": 1},
            version=13,
        ),
    ]


def _rows_of(graph: Graph, part: Node) -> np.ndarray:
    """The weights, a row for each column of the product."""
    weights = graph.constants[part.inputs[1]]
    return weights if part.attributes.get("transB", 0) else weights.T


def _bias_of(graph: Graph, part: Node) -> np.ndarray:
    weights = graph.constants[part.inputs[1]]
    if not part.input(2):
        return np.zeros(graph.shape(part.outputs[0])[1], weights.dtype)
    return graph.constants[part.inputs[2]].reshape(-1)
