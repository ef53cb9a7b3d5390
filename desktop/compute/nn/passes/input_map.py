"""Folds padding and nearest enlargement into the convolution that reads them (kernels/input_map.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.ops.pad import spatial_padding
from desktop.compute.nn.ops.resize import integer_factors


def fold_sources(graph: Graph) -> Graph:
    """Convolutions of one group with constant weights read through a Pad, a Resize, or a Pad of a Resize."""
    producers = graph.producers()
    readers = graph.consumers()

    def private(name: str) -> Node | None:
        """The node that computes a value for one reader alone, with nothing joined to it."""
        node = producers.get(name)
        if node is None or len(readers[name]) != 1 or name in graph.pinned or node.epilogue:
            return None
        return node

    nodes = []
    dropped: set[str] = set()
    for node in graph.nodes:
        found = _source(node, private, graph) if _takes_source(node, graph) else None
        if found is not None:
            source, stored, skipped = found
            node = replace(node, inputs=(stored, *node.inputs[1:])).with_detail(source)
            dropped.update(skipped)
        nodes.append(node)
    return graph.with_nodes(node for node in nodes if not dropped.intersection(node.outputs))


def _takes_source(node: Node, graph: Graph) -> bool:
    return (
        node.op == "Conv"
        and int(node.attributes.get("group", 1)) == 1
        and node.attributes.get("auto_pad", "NOTSET") in ("NOTSET", "VALID")
        and all(
            name in graph.constants for name in node.inputs[1:] if name
        )  # the kernel of computed ones reads a tensor as it lies
        and len(graph.shape(node.inputs[0])) == 4
    )


def _source(
    node: Node, private: Callable[[str], Node | None], graph: Graph
) -> tuple[InputMap, str, tuple[str, ...]] | None:
    """The source, the value that is read now, and the values that are needed no more."""
    name, skipped = node.inputs[0], []
    mode, pads, factors = "constant", ((0, 0), (0, 0)), (1, 1)
    pad = private(name)
    if pad is not None and pad.op == "Pad":
        padding = spatial_padding(pad, graph.shape(pad.inputs[0]), graph.constants)
        if padding is None:
            return None
        (mode, pads), name = padding, pad.inputs[0]
        skipped.append(pad.outputs[0])
    resize = private(name)
    if resize is not None and resize.op in ("Resize", "Upsample"):
        found = integer_factors(resize, graph.shape(resize.inputs[0]), graph.constants)
        if found is not None:
            factors, name = found, resize.inputs[0]
            skipped.append(resize.outputs[0])
    if not skipped or name in graph.constants:
        return None
    (top, bottom), (left, right) = pads
    height, width = graph.shape(name)[2:]
    return InputMap(mode, (top, left), (bottom, right), factors, (height, width)), name, tuple(skipped)
