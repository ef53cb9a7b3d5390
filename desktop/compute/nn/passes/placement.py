"""Choose the values computed straight into a Concat's memory, and those that are best written as NHWC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import ANY
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.ops.layout import order_of


def place_concats(graph: Graph) -> dict[str, tuple[str, int]]:
    """Map each placed value to (concatenated value, its first channel).

    Concats in later Concats are placed too: a DenseNet otherwise had 593 copies in 719 dispatches. A placed
    value has whole vec4s of channels; its kernel stores NHWC, and reads other memory unless it may write
    beside what it reads (`Operator.beside`), as the convolutions of ESRGAN's growing lists do.
    """
    joins = [node for node in graph.nodes if _joins_channels(node, graph)]
    placed = _place_joined(joins, graph)
    _leave_out_those_with_two_places(joins, placed, graph)
    _place_computed(joins, placed, graph)
    _leave_out_those_with_two_places(joins, placed, graph)
    return placed


def _offsets(node: Node, graph: Graph) -> list[int]:
    """Return the first channel of each input of a Concat."""
    return list(accumulate((graph.shape(name)[1] for name in node.inputs), initial=0))[:-1]


def _place_joined(joins: Sequence[Node], graph: Graph) -> dict[str, tuple[str, int]]:
    """Place Concats whose result, or whose consecutive inputs, are part of a later one."""
    readers: dict[str, list[Node]] = {}
    for node in joins:
        for name in dict.fromkeys(node.inputs):
            readers.setdefault(name, []).append(node)
    placed: dict[str, tuple[str, int]] = {}
    for smaller in reversed(joins):
        name = smaller.outputs[0]
        if name in graph.pinned or graph.shape(name)[1] % 4:
            continue
        later = [*readers.get(name, ())[-_TRIES:], *readers.get(smaller.inputs[0], ())[-_TRIES:]]
        for larger in sorted(later, key=lambda node: -graph.places[node.outputs[0]]):
            channel = _inside(smaller, larger, graph)
            if channel is not None:
                root, first = placed.get(larger.outputs[0], (larger.outputs[0], 0))
                if (first + channel) % 4 == 0:
                    placed[name] = (root, first + channel)
                    break
    return placed


def _inside(smaller: Node, larger: Node, graph: Graph) -> int | None:
    """Return the channel of `larger`'s result at which `smaller`'s begins; None if it is no part of it."""
    if graph.places[larger.outputs[0]] <= graph.places[smaller.outputs[0]]:
        return None
    names, own = list(larger.inputs), list(smaller.inputs)
    at = next((names.index(name) for name in (smaller.outputs[0], own[0]) if name in names), None)
    if at is None or (names[at] == own[0] and names[at : at + len(own)] != own):
        return None
    return _offsets(larger, graph)[at]


def _place_computed(joins: Sequence[Node], placed: dict[str, tuple[str, int]], graph: Graph) -> None:
    """Place values that kernels compute straight into the memory of a Concat."""
    producers = graph.producers()
    read_beside: dict[str, set[str]] = {}  # by Concat, what kernels read that may not write beside it
    for node in joins:
        root, first = placed.get(node.outputs[0], (node.outputs[0], 0))
        times = Counter(node.inputs)
        beside = read_beside.setdefault(root, set())
        for name, channel in zip(node.inputs, _offsets(node, graph), strict=True):
            producer = producers.get(name)
            clear = name not in placed and name not in graph.pinned and times[name] == 1
            fits = graph.shape(name)[1] % 4 == (first + channel) % 4 == 0
            if producer is not None and OPERATORS[producer.op].fuses and clear and fits:
                sources = {placed.get(read, (read, 0))[0] for read in producer.reads}
                grows = OPERATORS[producer.op].beside
                if (grows or root not in sources) and name not in beside:
                    placed[name] = (root, first + channel)
                    if not grows:
                        beside.update(producer.reads)


def _leave_out_those_with_two_places(
    joins: Sequence[Node], placed: dict[str, tuple[str, int]], graph: Graph
) -> None:
    """Remove values that one memory would hold twice: the copy would read the buffer that it writes."""
    while True:
        twice = {
            name
            for node in joins
            for name, channel in zip(node.inputs, _offsets(node, graph), strict=True)
            if name in placed and not _is_where(placed[name], node, channel, placed)
        }
        if not twice:
            return
        for name in twice:
            del placed[name]


def _is_where(
    place: tuple[str, int], node: Node, channel: int, placed: Mapping[str, tuple[str, int]]
) -> bool:
    """Return False if `node` needs a value elsewhere in the memory that it is placed in."""
    root, first = placed.get(node.outputs[0], (node.outputs[0], 0))
    return place[0] != root or place == (root, first + channel)


_TRIES: Final = 4
"""Most later Concats of the same value that are tried."""


def _joins_channels(node: Node, graph: Graph) -> bool:
    """Return True for a Concat of channels, into memory whose layout the lowering is free to choose."""
    whole = node.outputs[0]
    if node.op != "Concat" or whole in graph.outputs:
        return False
    rank = len(graph.shape(whole))
    return rank >= 2 and int(node.attributes.get("axis", 1)) in (1, 1 - rank)


def read_channels_last(graph: Graph) -> frozenset[str]:
    """Return the values that NHWC kernels read, directly or through operators that accept any layout."""
    found: frozenset[str] = frozenset()
    for _ in range(_FARTHEST + 1):
        found = frozenset(
            name
            for node in graph.nodes
            for name in node.reads
            if OPERATORS[node.op].layout == NHWC
            or _turns_last(node, graph)
            or (OPERATORS[node.op].layout == ANY and node.outputs[0] in found)
        )
    return found


def _turns_last(node: Node, graph: Graph) -> bool:
    """Return True for a Transpose that moves the channels last, which is free for NHWC."""
    if node.op != "Transpose":
        return False
    rank = len(graph.shape(node.inputs[0]))
    return rank > 2 and order_of(node, rank) == [0, *range(2, rank), 1]


_FARTHEST: Final = 4
"""Most operators in a row that are traced."""
