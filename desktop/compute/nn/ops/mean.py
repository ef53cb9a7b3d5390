"""Mean: the element-wise mean of any number of tensors, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Mean.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.elementwise import fold_left, map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, broadcast
from desktop.compute.nn.ops.sum import steps as sum_steps


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """Those of a sum, and the division."""
    base, sums = sum_steps(node, graph)
    return base, (*sums, EpilogueStep("mul", (1 / len(node.inputs),)))


def lower(lowering: Lowering, node: Node) -> None:
    """The sum, divided."""
    expression = f"({fold_left(node, '{a} + {b}')}) / {len(node.inputs)}.0"
    map_elements(lowering, node, expression, node.inputs, node.outputs[0])


OPERATOR = Operator("Mean", broadcast, lower, steps=steps)
