"""PRelu: slope * x below zero; the slope broadcasts to x, and x to a slope of a larger shape, as in ONNX Runtime.

https://onnx.ai/onnx/operators/onnx__PRelu.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.elementwise import mapped
from desktop.compute.nn.kernels.steps import operand_step
from desktop.compute.nn.lowering.operator import Operator, broadcast, left_to_the_gpu, refuse_unless


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on input 0, where the slope does not stretch it.

    Raises:
        ModelUnsupportedError: it does.
    """
    stretched = graph.shape(node.outputs[0]) != graph.shape(node.inputs[0])
    refuse_unless(not stretched, node, "a slope that stretches its input")
    return node.inputs[0], (operand_step("prelu", node.inputs[1], graph),)


OPERATOR = Operator(
    "PRelu", broadcast, mapped("select(a * b, a, a >= 0)", u32="a"), steps=steps, fold=left_to_the_gpu
)
