"""RNN: H = f(X W^T + H R^T + biases).

https://onnx.ai/onnx/operators/onnx__RNN.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.recurrent import Cell, multiply_adds, recurrent
from desktop.compute.nn.lowering.operator import Operator


def step(cell: Cell, node: Node, shares: Sequence[str], h: str, c: str) -> tuple[str, str]:
    """The hidden state after a step."""
    return cell.activations[0](cell.sum(shares[0], cell.recurrent(h, 0), cell.bias(0))), ""


OPERATOR = Operator("RNN", expands, expand=recurrent(1, ("Tanh",), step), multiply_adds=multiply_adds)
