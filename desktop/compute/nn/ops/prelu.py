"""PRelu: slope * x below zero; the slope broadcasts to x.

https://onnx.ai/onnx/operators/onnx__PRelu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.elementwise import mapped
from desktop.compute.nn.kernels.steps import operand_step
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on input 0."""
    return node.inputs[0], (operand_step("prelu", node.inputs[1], graph),)


OPERATOR = Operator(
    "PRelu", same_as_first, mapped("select(a * b, a, a >= 0)", u32="a"), steps=steps, fold=left_to_the_gpu
)
