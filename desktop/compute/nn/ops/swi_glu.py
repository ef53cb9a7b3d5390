"""SwiGLU: a * sigmoid(alpha * a) * b.

https://onnx.ai/onnx/operators/onnx__SwiGLU.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless, require, same_as_first


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Both inputs have one shape."""
    require(inputs[0].shape == inputs[1].shape, node, "inputs of different shapes")
    return same_as_first(node, inputs, constants)


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on the gate."""
    refuse_unless(node.inputs[0] not in graph.constants, node, "a constant gate")
    alpha = float(node.attributes.get("alpha", 1.0))
    return node.inputs[0], (EpilogueStep("swiglu", (alpha,), node.inputs[1]),)


OPERATOR = Operator("SwiGLU", infer, steps=steps)
