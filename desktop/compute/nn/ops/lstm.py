"""LSTM: gates i (input), o (output), f (forget) and c (cell), in this order; peepholes i, o, f.

https://onnx.ai/onnx/operators/onnx__LSTM.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.recurrent import Cell, multiply_adds, recurrent
from desktop.compute.nn.lowering.operator import Operator, refuse_unless


def step(cell: Cell, node: Node, shares: Sequence[str], h: str, c: str) -> tuple[str, str]:
    """C = f C + i new; H = o h(C)."""
    refuse_unless(not node.attributes.get("input_forget", 0), node, "coupled gates (input_forget)")
    add, (f, g, last) = cell.build.add, cell.activations

    def gate(index: int, state: str, peephole: int) -> str:
        weights = cell.peephole(peephole) if peephole >= 0 else ""
        seen = add("Mul", weights, state) if weights else ""
        return cell.sum(shares[index], cell.recurrent(h, index), cell.bias(index), seen)

    into, forget, new = f(gate(0, c, 0)), f(gate(2, c, 2)), g(gate(3, c, -1))
    after = add("Add", add("Mul", forget, c), add("Mul", into, new))
    return add("Mul", f(gate(1, after, 1)), last(after)), after


OPERATOR = Operator(
    "LSTM",
    expands,
    expand=recurrent(4, ("Sigmoid", "Tanh", "Tanh"), step, has_cell=True),
    multiply_adds=multiply_adds,
)
