"""Softmax along one axis; before opset 13 over everything from `axis` (default 1) on.

https://onnx.ai/onnx/operators/onnx__Softmax.html
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Detail, Node
from desktop.compute.nn.kernels.softmax import add_softmax, rows_of
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, Quantized, left_to_the_gpu, same_as_first
from desktop.compute.nn.lowering.plan import NCHW


@dataclass(frozen=True)
class Scaled(Detail):
    """The input is to be multiplied by `scale` first: integers of a quantized network."""

    scale: float


def lower(lowering: Lowering, node: Node) -> None:
    """One workgroup a row of the row-major tensor."""
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    scaled = node.detail(Scaled)
    rows = rows_of(node, lowering.graph.shape(node.inputs[0]))
    add_softmax(lowering, node, x, result, rows, scale=scaled.scale if scaled else 1.0)


OPERATOR = Operator("Softmax", same_as_first, lower, fold=left_to_the_gpu, quantized=Quantized.SCALED)
