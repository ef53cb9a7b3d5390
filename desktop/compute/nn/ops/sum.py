"""Sum: the element-wise sum of any number of tensors, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Sum.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.elementwise import folded
from desktop.compute.nn.kernels.steps import operand_step
from desktop.compute.nn.lowering.operator import Operator, broadcast, refuse_unless


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The other inputs are added to the last computed one that has the output's shape."""
    shape = graph.shape(node.outputs[0])
    order = {name: at for at, each in enumerate(graph.nodes) for name in each.outputs}
    bases = [i for i, n in enumerate(node.inputs) if graph.shape(n) == shape and n not in graph.constants]
    refuse_unless(bool(bases), node, "all of its inputs are stretched")
    refuse_unless(len(node.inputs) <= 4, node, "more operands than an epilogue reads")
    base = max(bases, key=lambda i: order.get(node.inputs[i], -1))
    others = [name for i, name in enumerate(node.inputs) if i != base]
    return node.inputs[base], tuple(operand_step("add", name, graph) for name in others)


OPERATOR = Operator("Sum", broadcast, folded("{a} + {b}"), steps=steps, carries=True)
