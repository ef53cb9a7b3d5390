"""Check the invariants of a graph between passes, in tests and with LIGHTLOOM_VERIFY=1."""

from __future__ import annotations

import os
from collections.abc import Iterator, Set

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node


class GraphError(AssertionError):
    """A pass produced an invalid graph: a fault of the program, never of a file."""


def is_enabled() -> bool:
    """Return True if LIGHTLOOM_VERIFY requests the checks; they take some ms a pass for a large network."""
    return os.environ.get("LIGHTLOOM_VERIFY", "") not in ("", "0")


def verify(graph: Graph, after: str) -> None:
    """Check a graph whose shapes are known, made by the pass `after`; GraphError names five violations."""
    faults = list(_faults(graph))
    if faults:
        raise GraphError(f"after {after}: {'; '.join(faults[:5])}" + f" ({len(faults)} in all)")


def _faults(graph: Graph) -> Iterator[str]:
    known = {*graph.inputs, *graph.constants}
    # Files may list outputs that their operator does not have; nothing can read them.
    wanted = graph.pinned | graph.consumers().keys()
    for node in graph.nodes:
        yield from _node_faults(node, graph, known, wanted)
        known.update(name for name in node.outputs if name)
    for name in graph.pinned - known:
        yield f"nothing computes '{name}', which has to exist at the end"
    for name, array in graph.constants.items():
        yield from _constant_faults(graph, name, array)


def _node_faults(node: Node, graph: Graph, known: Set[str], wanted: Set[str]) -> Iterator[str]:
    for name in node.reads:
        if name not in known:
            yield f"{node} reads '{name}', which is not computed before it"
    for name in filter(None, node.outputs):
        if name in known:
            yield f"{node} computes '{name}', which exists already"
        if name in wanted and name not in graph.values:
            yield f"'{name}' of {node} has no shape"
    kinds = [type(each) for each in node.details]
    if len(kinds) != len(set(kinds)):
        yield f"{node} has two details of one class"
    if node.epilogue:
        yield from _epilogue_faults(node, graph)


def _epilogue_faults(node: Node, graph: Graph) -> Iterator[str]:
    result = graph.values.get(node.outputs[0])
    for step in node.epilogue:
        operand = graph.values.get(step.operand)
        if step.operand and operand is None:
            yield f"an operand of {node}, '{step.operand}', has no shape"
        elif operand is not None and result is not None and not _stretches(operand.shape, result.shape):
            yield f"'{step.operand}' {operand.shape} does not stretch to the {result.shape} of {node}"
        if step.table and step.table not in graph.constants:
            yield f"the table '{step.table}' of {node} is no constant"


def _stretches(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    return len(shape) <= len(to) and all(n in (1, m) for n, m in zip(shape[::-1], to[::-1], strict=False))


def _constant_faults(graph: Graph, name: str, array: np.ndarray) -> Iterator[str]:
    value = graph.values.get(name)
    if value is not None and value.shape != array.shape:
        yield f"the constant '{name}' has {array.shape}, its value {value.shape}"
