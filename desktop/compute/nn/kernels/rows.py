"""Row-major tensors as matrices: with rows of whole vec4s, kernels of channels-last tensors can read them."""

from __future__ import annotations

import math
from dataclasses import replace

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.plan import NHWC, Operand


def as_rows(operand: Operand) -> Operand:
    """Return a row-major tensor whose last dimension is whole vec4s as an NHWC matrix (rows, columns)."""
    *rows, columns = operand.shape
    return replace(operand, shape=(math.prod(rows), columns), layout=NHWC, stride=columns // 4)


def is_of_rows(node: Node, graph: Graph) -> bool:
    """Whether all operands of the node's epilogue can be seen as matrices beside its result."""
    shape = graph.shape(node.outputs[0])
    return all(_fits(step.operand, shape, graph) for step in node.epilogue if step.operand)


def _fits(operand: str, shape: tuple[int, ...], graph: Graph) -> bool:
    """True for a number a column, and for a tensor like the result (a residual)."""
    own, constant = graph.shape(operand), graph.constants.get(operand)
    if constant is None or own == shape:
        return own == shape
    return constant.ndim > 0 and constant.size == constant.shape[-1] == shape[-1]
