"""Prune a parsed ONNX network: remove everything that the remaining outputs do not depend on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any


def prune_to_outputs(graph: Any, outputs: Collection[str]) -> None:
    """Reduce a `GraphProto` in place to these outputs and the nodes, inputs and constants that they need."""
    needed = set(outputs)
    kept = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(copied(node))
            needed.update(read_by([node]))
    del graph.node[:]
    graph.node.extend(reversed(kept))
    retain(graph.output, lambda value: value.name in outputs)
    for values in (graph.input, graph.initializer, graph.value_info):
        retain(values, lambda value: value.name in needed)
    retain(graph.sparse_initializer, lambda value: value.values.name in needed)


def retain(values: Any, wanted: Callable[[Any], bool]) -> None:
    """Delete from a repeated field, in place, what is not wanted."""
    for place in reversed(range(len(values))):
        if not wanted(values[place]):
            del values[place]


def copied(message: Any) -> Any:
    """A protobuf message of its own: what a repeated field holds is gone when the field is cut."""
    made = type(message)()
    made.CopyFrom(message)
    return made


def read_by(nodes: Iterable[Any]) -> Iterator[str]:
    """Yield the names that nodes read, those that their branches and bodies read from outside among them."""
    for node in nodes:
        yield from node.input
        for attribute in node.attribute:
            for graph in (*([attribute.g] if attribute.HasField("g") else ()), *attribute.graphs):
                yield from read_by(graph.node)
                yield from (value.name for value in graph.output)
