"""Element-wise float operators become `Elementwise` nodes with an epilogue, so that one pass fuses all."""

from __future__ import annotations

from dataclasses import replace

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.ops import OPERATORS


def make_elementwise(graph: Graph) -> Graph:
    """Scalars become numbers in the shader; other operands stay names."""
    nodes = []
    for node in graph.nodes:
        operator = OPERATORS[node.op]
        if operator.steps is not None and _is_float(node, graph):
            try:
                base, steps = operator.steps(node, graph)
            except ModelUnsupportedError:
                if operator.lower is None:
                    raise
            else:
                node = elementwise(node, base, *steps)
        nodes.append(node)
    return graph.with_nodes(nodes)


def elementwise(node: Node, source: str, *steps: EpilogueStep) -> Node:
    """The steps on `source`, in place of a node."""
    return replace(node, op="Elementwise", domain=INTERNAL, inputs=(source,), attributes={}, epilogue=steps)


def _is_float(node: Node, graph: Graph) -> bool:
    tables = OPERATORS[node.op].tables
    names = [name for at, name in enumerate(node.inputs) if name and at not in tables] + [node.outputs[0]]
    return all(is_float(graph.values[name].dtype) for name in names)
