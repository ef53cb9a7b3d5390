"""Moves an enlargement behind the pointwise convolution that alone reads it, which then has fewer pixels.

A Resize averages pixels with weights that add up to one, so a 1x1 product and bias may come first. Decoders
enlarge and then change the number of channels (feature pyramids, DPT's fusion blocks).
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ops.convolution import is_pointwise
from desktop.compute.nn.ops.resize import averages_pixels, sizes_for


def sink_resizes(graph: Graph) -> Graph:
    """Rewrite where neither the convolution nor the Resize then writes more numbers than before."""
    producers, readers = graph.producers(), graph.consumers()
    values = dict(graph.values)
    nodes: list[Node] = []
    made: dict[str, np.ndarray] = {}
    constants = ChainMap(made, dict(graph.constants))
    for node in graph.nodes:
        source = node.input(0)
        resize = producers.get(source)
        if (
            resize is None
            or len(readers[source]) != 1
            or source in graph.pinned
            or not _gains(resize, node, values, constants)
        ):
            nodes.append(node)
            continue
        stored, result = values[resize.inputs[0]], node.outputs[0]
        small = f"{result}:before {resize.name}"
        values[small] = Value(
            small, (stored.shape[0], values[result].shape[1], *stored.shape[2:]), stored.dtype
        )
        moved = replace(resize, inputs=(small, *resize.inputs[1:]), outputs=(result,))
        sizes = sizes_for(resize, values[small].shape, constants)
        if sizes is not None:
            made[f"{result}:sizes"] = sizes
            moved = replace(moved, inputs=(*moved.inputs[:3], f"{result}:sizes"))
        nodes.remove(resize)
        nodes += (replace(node, inputs=(resize.inputs[0], *node.inputs[1:]), outputs=(small,)), moved)
        producers[result] = moved
    return replace(graph, values=values).with_nodes(nodes, made)


def _gains(
    resize: Node, node: Node, values: Mapping[str, Value], constants: Mapping[str, np.ndarray]
) -> bool:
    """True for a plain enlarging Resize before a plain convolution that makes no more channels."""
    if (
        node.op != "Conv"
        or resize.op not in ("Resize", "Upsample")
        or not (node.is_plain and resize.is_plain)
    ):
        return False
    before, after, result = (
        values[name].shape for name in (resize.inputs[0], resize.outputs[0], node.outputs[0])
    )
    return (
        is_pointwise(node, after, values[node.inputs[1]].shape)
        and result[1] <= after[1]
        and math.prod(after) > math.prod(before) > 0
        and averages_pixels(resize, before, constants)
    )
