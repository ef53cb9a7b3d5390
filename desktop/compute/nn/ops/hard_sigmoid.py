"""HardSigmoid: max(0, min(1, alpha * x + beta)).

https://onnx.ai/onnx/operators/onnx__HardSigmoid.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0."""
    return node.inputs[0], (
        Step(
            "hard_sigmoid",
            (float(node.attributes.get("alpha", 0.2)), float(node.attributes.get("beta", 0.5))),
        ),
    )


OPERATOR = Operator("HardSigmoid", same_as_first, steps=steps)
