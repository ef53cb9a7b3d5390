"""GRU: gates z (update), r (reset) and h (new), in this order.

https://onnx.ai/onnx/operators/onnx__GRU.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.recurrent import Cell, multiply_adds, recurrent
from desktop.compute.nn.lowering.operator import Operator


def step(cell: Cell, node: Node, shares: Sequence[str], h: str, c: str) -> tuple[str, str]:
    """H = (1 - z) new + z H, as new + z (H - new)."""
    add, (f, g) = cell.build.add, cell.activations
    z, r = (f(cell.sum(shares[gate], cell.recurrent(h, gate), cell.bias(gate))) for gate in (0, 1))
    if node.attributes.get("linear_before_reset", 0):
        new = g(cell.sum(shares[2], add("Mul", r, cell.sum(cell.recurrent(h, 2), cell.bias(2)))))
    else:
        new = g(cell.sum(shares[2], cell.recurrent(add("Mul", r, h), 2), cell.bias(2)))
    return add("Add", new, add("Mul", z, add("Sub", h, new))), ""


OPERATOR = Operator(
    "GRU", expands, expand=recurrent(3, ("Sigmoid", "Tanh"), step), multiply_adds=multiply_adds
)
