"""Relu: max(x, 0).

https://onnx.ai/onnx/operators/onnx__Relu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, Quantized, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    return node.inputs[0], (Step("relu"),)


OPERATOR = Operator("Relu", same_as_first, mapped("max(a, 0)"), steps=steps, quantized=Quantized.CLIPS)
