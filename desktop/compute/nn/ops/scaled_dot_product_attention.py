"""ScaledDotProductAttention: the internal operator that a pass makes of two matrix products with a softmax between them."""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.attention import Attention, attend
from desktop.compute.nn.lowering.operator import Operator, Shapes, same_as_first


def multiply_adds(node: Node, shape: Shapes) -> int:
    """Both products of matrices."""
    how = node.detail(Attention)
    return 0 if how is None else how.multiply_adds


OPERATOR = Operator(
    "ScaledDotProductAttention", same_as_first, attend, internal=True, multiply_adds=multiply_adds
)
