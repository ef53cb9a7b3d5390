"""Add: a + b, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Add.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.binary import binary_steps
from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, Quantized, broadcast


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on the input that has the output's shape."""
    return binary_steps(node, graph, "add", "add")


OPERATOR = Operator("Add", broadcast, mapped("a + b"), steps=steps, quantized=Quantized.SUM)
