"""Gelu: x times the normal distribution's cumulative function, by erf or by the tanh approximation.

https://onnx.ai/onnx/operators/onnx__Gelu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on input 0."""
    kind = "gelu_tanh" if node.attributes.get("approximate", "none") == "tanh" else "gelu"
    return node.inputs[0], (EpilogueStep(kind),)


OPERATOR = Operator("Gelu", same_as_first, steps=steps)
