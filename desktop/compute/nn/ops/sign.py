"""Sign: -1, 0 or 1.

https://onnx.ai/onnx/operators/onnx__Sign.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    return node.inputs[0], (Step("sign"),)


OPERATOR = Operator("Sign", same_as_first, mapped("sign(a)", u32="min(a, 1u)"), steps=steps)
