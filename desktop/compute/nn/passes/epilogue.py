"""Joins element-wise nodes (bias, activation, rounding, residual) to the kernel that computes their input."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ops import OPERATORS

_MOST_STEPS: Final = 128
"""Steps of an epilogue: one shader of thousands would take its compiler minutes."""
_MOST_OPERANDS: Final = 4
"""Tensors that an epilogue reads: with a kernel's own buffers this stays within WebGPU's 8 a stage."""


def fuse_epilogues(graph: Graph) -> Graph:
    """Fuse each element-wise node into the producer of its input, if nothing else reads that input."""
    consumers = graph.consumers()
    nodes: list[Node | None] = []
    place: dict[str, int] = {}  # value -> index of the node that computes it
    for node in graph.nodes:
        at = place.get(node.inputs[0], -1) if node.op == "Elementwise" else -1
        source = nodes[at] if at >= 0 else None
        # An operand computed after the source would be read before it is written: the source waits.
        waits = any(place.get(name, -1) >= at for name in node.reads[1:])
        readers = len(consumers[node.inputs[0]]) if source is not None else 0
        if (
            source is not None
            and _can_join(source, node, graph, readers)
            and not (waits and source.outputs[1:])
        ):
            outputs = (node.outputs[0], *source.outputs[1:])
            node = replace(source, outputs=outputs, epilogue=source.epilogue + node.epilogue)
            nodes[at] = None
        else:
            waits = True
        at = len(nodes) if waits else at
        nodes[at : at + 1] = [node]
        place.update((name, at) for name in node.outputs)
    return graph.with_nodes(node for node in nodes if node is not None)


def _can_join(source: Node, node: Node, graph: Graph, readers: int) -> bool:
    steps = source.epilogue + node.epilogue
    if len(steps) > _MOST_STEPS:
        return False
    operands = {name for step in steps for name in (step.operand, step.table) if name}
    return (
        OPERATORS[source.op].fuses
        and source.outputs[0] == node.inputs[0]  # not MaxPool's Indices and the like
        and readers == 1
        and node.inputs[0] not in graph.pinned
        and graph.shape(node.inputs[0]) == graph.shape(node.outputs[0])
        and len(operands) <= _MOST_OPERANDS
    )
