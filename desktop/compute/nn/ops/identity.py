"""Identity: removed by a pass; what is left (from an input to an output) is a copy.

https://onnx.ai/onnx/operators/onnx__Identity.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.lowering.expansion import same_sequence
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """Copy."""
    lowering.copy(node, lowering.values.any(node.inputs[0]), lowering.values.result(node.outputs[0]))


def view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """Itself."""
    return seen


OPERATOR = Operator(
    "Identity",
    same_as_first,
    lower,
    fold=lambda node, inputs: [inputs[0]],
    view=view,
    identity=True,
    expand=same_sequence,
)
