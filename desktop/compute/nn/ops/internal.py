"""Operators that only passes make."""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.attention import Attention, attend
from desktop.compute.nn.kernels.moved import lower_moved
from desktop.compute.nn.kernels.rows import as_rows, is_of_rows
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import ANY, Operator, Shapes, same_as_first
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.ops.reshape import copy


# Elementwise: the internal operator that passes make of chains of element-wise operators (its epilogue).
def _lower_elementwise(lowering: Lowering, node: Node) -> None:
    """Copy with an epilogue; a row-major tensor stays so, as a transformer's tokens have no channels."""
    x, name = lowering.values.any(node.inputs[0]), node.outputs[0]
    rows = x.layout == NCHW and len(x.shape) > 2 and x.shape[-1] % 4 == 0
    if rows and not lowering.values.wants_channels_last(name) and is_of_rows(node, lowering.graph):
        lowering.copy(node, as_rows(x), as_rows(lowering.values.result(name, NCHW)))
    else:
        copy(lowering, node)


# ScaledDotProductAttention: internal operator of two matrix products with a softmax between them.
def _multiply_adds_attention(node: Node, shape: Shapes) -> int:
    """Both products of matrices."""
    how = node.detail(Attention)
    return 0 if how is None else how.multiply_adds


OPERATORS: Final = (
    Operator(
        "Elementwise",
        same_as_first,
        _lower_elementwise,
        fuses=True,
        beside=True,
        layout=ANY,
        internal=True,
        carries=True,
    ),
    # A tree of nodes that move numbers and of element-wise ones.
    Operator("Moved", same_as_first, lower_moved, internal=True),
    Operator(
        "ScaledDotProductAttention",
        same_as_first,
        attend,
        internal=True,
        multiply_adds=_multiply_adds_attention,
    ),
)
