"""Asinh: the inverse hyperbolic sine.

https://onnx.ai/onnx/operators/onnx__Asinh.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    return node.inputs[0], (Step("asinh"),)


OPERATOR = Operator("Asinh", same_as_first, steps=steps)
