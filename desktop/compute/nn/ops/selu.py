"""Selu: gamma * (alpha * exp(x) - alpha) below zero, gamma * x above.

https://onnx.ai/onnx/operators/onnx__Selu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    numbers = (
        float(node.attributes.get("alpha", 1.6732631921768188)),
        float(node.attributes.get("gamma", 1.0507010221481323)),
    )
    return node.inputs[0], (Step("selu", numbers),)


OPERATOR = Operator("Selu", same_as_first, steps=steps)
