"""Which values are computed straight into the memory of the Concat that joins them, and which are best turned to NHWC."""

from __future__ import annotations

from collections import Counter
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import ANY
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.ops.transpose import order_of


def place_concats(graph: Graph) -> dict[str, tuple[str, int]]:
    """Map a value to (concatenated value, its first channel).

    Only where the channels are whole vec4s, the kernel stores NHWC, and it does not read the same memory:
    WebGPU forbids to read and write one buffer in a dispatch.
    """
    producers = graph.producers()
    placed: dict[str, tuple[str, int]] = {}
    for node in graph.nodes:
        if not _joins_channels(node, graph):
            continue
        whole, channel = node.outputs[0], 0
        times = Counter(node.inputs)
        read_beside: set[str] = set()  # by those that are placed in `whole`
        for name in node.inputs:
            producer = producers.get(name)
            channels = graph.shape(name)[1]
            clear = name not in placed and name not in graph.pinned and times[name] == 1
            fits = channels % 4 == channel % 4 == 0
            if producer is not None and OPERATORS[producer.op].fuses and clear and fits:
                sources = {placed.get(read, (read, 0))[0] for read in producer.reads}
                if whole not in sources and name not in read_beside:
                    placed[name] = (whole, channel)
                    read_beside.update(producer.reads)
            channel += channels
    return placed


def _joins_channels(node: Node, graph: Graph) -> bool:
    """True for a Concat of channels, into memory that the lowering is free to lay out."""
    whole = node.outputs[0]
    if node.op != "Concat" or whole in graph.outputs:
        return False
    rank = len(graph.shape(whole))
    return rank >= 2 and int(node.attributes.get("axis", 1)) in (1, 1 - rank)


def read_channels_last(graph: Graph) -> frozenset[str]:
    """The values that a kernel which reads NHWC gets, straight or through operators that take any layout."""
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
    """True for a Transpose that puts the channels last, which is no work where they lie so."""
    if node.op != "Transpose":
        return False
    rank = len(graph.shape(node.inputs[0]))
    return rank > 2 and order_of(node, rank) == [0, *range(2, rank), 1]


_FARTHEST: Final = 4
"""Operators in a row that are looked through."""
