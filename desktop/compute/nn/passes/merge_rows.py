"""Products of one row by several constant weights become one product, where each result is spread over a larger tensor.

    Add(x1, Gemm(t, W1)), Add(x2, Gemm(t, W2)), ...  is  Add(x1, t1), ...  with  t1, t2, ... = Split(Gemm(t, [W1 W2 ...]))

A diffusion network adds the time to every block so: each product takes little more than its dispatch (22 of Stable
Diffusion 1.5's UNet). Others than `merge_products`' keep what follows them in their own dispatch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.passes.pattern import Matcher

_MOVES: Final = frozenset({"Unsqueeze", "Reshape", "Squeeze", "Flatten"})
_SPREADS: Final = frozenset({"Add", "Mul", "Sub"})


@dataclass(frozen=True)
class _Part:
    """A product of one row, and what its reader sees of it: the `output`, of the shape (1, columns, 1, ...)."""

    node: Node
    output: str


def merge_rows(graph: Graph) -> Graph:
    """Each group takes the place of its first product."""
    groups = _groups(graph)
    first = {id(parts[0].node): parts for parts in groups}
    gone = {id(part.node) for parts in groups for part in parts}
    outputs = {part.output for parts in groups for part in parts}
    nodes: list[Node] = []
    constants, values = dict(graph.constants), dict(graph.values)
    for node in graph.nodes:
        if id(node) in first:
            nodes += _merge(graph, first[id(node)], constants, values)
        # What reshapes a part is replaced, too; what comes before it is read by nothing, and is another pass's.
        elif id(node) not in gone and node.outputs[0] not in outputs:
            nodes.append(node)
    return replace(graph, nodes=tuple(nodes), values=values, constants=constants)


def _groups(graph: Graph) -> list[list[_Part]]:
    """The products that have a row in common, where there are several."""
    matcher = Matcher(graph)
    groups: dict[tuple[str, int, str], list[_Part]] = {}
    for node in graph.nodes:
        output = _spread(matcher, node) if _is_row(graph, node) else ""
        if output:
            key = (node.inputs[0], len(graph.shape(output)), graph.constants[node.inputs[1]].dtype.name)
            groups.setdefault(key, []).append(_Part(node, output))
    return [parts for parts in groups.values() if len(parts) > 1]


def _is_row(graph: Graph, node: Node) -> bool:
    """True for a product of one row by constant weights."""
    if node.op != "Gemm" or not node.is_plain or graph.shape(node.outputs[0])[0] != 1:
        return False
    columns = graph.shape(node.outputs[0])[1]
    weights, bias = graph.constants.get(node.inputs[1]), graph.constants.get(node.input(2))
    is_scaled = any(float(node.attributes.get(name, 1.0)) != 1.0 for name in ("alpha", "beta"))
    has_bias = not node.input(2) or (bias is not None and bias.size == columns)
    is_plain = not is_scaled and not node.attributes.get("transA", 0) and has_bias
    return weights is not None and is_plain and columns % 4 == 0


def _spread(matcher: Matcher, node: Node) -> str:
    """Return what the only reader of a product sees of it, if it combines that with a larger tensor; else ""."""
    graph, name = matcher.graph, node.outputs[0]
    columns = graph.shape(name)[1]
    while matcher.is_private(name) and (reader := matcher.readers_of(name)[0]).is_plain:
        if reader.op in _SPREADS and graph.values[reader.outputs[0]].size > columns:
            shape = graph.shape(name)
            return name if shape == (1, columns, *[1] * (len(shape) - 2)) else ""
        if reader.op not in _MOVES or reader.inputs[0] != name:
            return ""
        name = reader.outputs[0]
    return ""


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
