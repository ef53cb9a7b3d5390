"""Celu: alpha * (exp(x / alpha) - 1) below zero.

https://onnx.ai/onnx/operators/onnx__Celu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    numbers = (float(node.attributes.get("alpha", 1.0)),)
    return node.inputs[0], (Step("celu", numbers),)


OPERATOR = Operator("Celu", same_as_first, steps=steps)
