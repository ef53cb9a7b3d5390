"""Products of one tensor by several constant weights become one product, which is then cut.

    MatMul(x, W1) + b1, MatMul(x, W2) + b2, ...  is  Split(MatMul(x, [W1 W2 ...]) + [b1 b2 ...])

such as transformers' queries, keys and values. Attention reads its heads in the one result (moves.py) without
copies; `split_products` separates the others, so only widths that it cuts are merged. Not after attention:
steps along joined dimensions do not show which part is the row's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.passes.pattern import Matcher
from desktop.compute.nn.passes.split_products import can_be_cut, has_rank

_LARGEST: Final = (128 << 20) // 4
"""Most numbers of a merged result, in float32, that WebGPU's default limits let any adapter bind."""


def merge_products(graph: Graph) -> Graph:
    """Each group takes the place of its first product."""
    groups = _groups(graph)
    merged = {id(parts[0].node): _merge(graph, parts) for parts in groups}
    gone = {id(node) for parts in groups for part in parts for node in part.replaced}
    nodes: list[Node] = []
    constants, values = dict(graph.constants), dict(graph.values)
    for node in graph.nodes:
        one = merged.get(id(node))
        if one is not None:
            nodes += one.nodes
            constants |= one.constants
            values |= one.values
        elif id(node) not in gone:
            nodes.append(node)
    return replace(graph, nodes=tuple(nodes), values=values, constants=constants)


@dataclass(frozen=True)
class _Part:
    """A product, and the Add of its bias if no other node reads the product."""

    node: Node
    add: Node | None
    bias: str

    @property
    def output(self) -> str:
        """Output that other nodes read."""
        return (self.add or self.node).outputs[0]

    @property
    def replaced(self) -> tuple[Node, ...]:
        """Nodes that are replaced."""
        return (self.node,) if self.add is None else (self.node, self.add)


@dataclass(frozen=True)
class _Merged:
    """Return the nodes that replace a group."""

    nodes: Sequence[Node]
    constants: dict[str, np.ndarray]
    values: dict[str, Value]


def _groups(graph: Graph) -> list[list[_Part]]:
    """The products that have a factor in common, where there are several."""
    matcher = Matcher(graph)
    groups: dict[str, list[_Part]] = {}
    for node in graph.nodes:
        part = _part(matcher, node)
        if part is not None:
            groups.setdefault(node.inputs[0], []).append(part)
    return [parts for parts in groups.values() if len(parts) > 1 and _numbers(graph, parts) <= _LARGEST]


def _numbers(graph: Graph, parts: Sequence[_Part]) -> int:
    """Of the merged result."""
    return sum(graph.values[part.output].size for part in parts)


def _part(matcher: Matcher, node: Node) -> _Part | None:
    graph = matcher.graph
    if node.op != "MatMul" or not node.is_plain or not has_rank(graph, node.inputs[1], 2):
        return None
    if node.inputs[0] in graph.constants or len(graph.shape(node.inputs[0])) < 2:
        return None
    columns = graph.shape(node.outputs[0])[-1]
    if not can_be_cut(columns):
        return None
    readers = matcher.readers_of(node.outputs[0])
    if matcher.is_private(node.outputs[0]) and readers[0].op == "Add" and readers[0].is_plain:
        bias = next(name for name in readers[0].inputs if name != node.outputs[0])
        if has_rank(graph, bias, 1) and graph.shape(bias) == (columns,):
            return _Part(node, readers[0], bias)
    return _Part(node, None, "")


def _merge(graph: Graph, parts: Sequence[_Part]) -> _Merged:
    first = parts[0].node
    whole = f"{first.outputs[0]}:merged"
    source = graph.values[first.outputs[0]]
    widths = [graph.shape(part.output)[-1] for part in parts]
    shape = (*source.shape[:-1], sum(widths))
    constants = {
        f"{whole}:weights": np.concatenate([graph.constants[part.node.inputs[1]] for part in parts], axis=1),
        f"{whole}:sizes": np.array(widths, np.int64),
    }
    product = f"{whole}:product" if any(part.bias for part in parts) else whole
    nodes = [replace(first, name=whole, inputs=(first.inputs[0], f"{whole}:weights"), outputs=(product,))]
    if product != whole:
        constants[f"{whole}:bias"] = np.concatenate(
            [_bias(graph, part, width) for part, width in zip(parts, widths, strict=True)]
        )
        nodes.append(Node("Add", f"{whole}:add", (product, f"{whole}:bias"), (whole,), version=first.version))
    outputs = tuple(part.output for part in parts)
    cut = (whole, f"{whole}:sizes")
    nodes.append(
        Node("Split", f"{whole}:split", cut, outputs, attributes={"axis": len(shape) - 1}, version=13)
    )
    values = {name: Value(name, shape, source.dtype) for name in {product, whole}}
    values |= {name: Value(name, array.shape, array.dtype.name) for name, array in constants.items()}
    return _Merged(nodes, constants, values)


def _bias(graph: Graph, part: _Part, width: int) -> np.ndarray:
    if part.bias:
        return graph.constants[part.bias]
    return np.zeros(width, graph.constants[part.node.inputs[1]].dtype)
