"""Shrink: x brought nearer to zero by bias, zero within lambd.

https://onnx.ai/onnx/operators/onnx__Shrink.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    numbers = (
        float(node.attributes.get("bias", 0.0)),
        float(node.attributes.get("lambd", 0.5)),
    )
    return node.inputs[0], (Step("shrink", numbers),)


OPERATOR = Operator("Shrink", same_as_first, steps=steps)
