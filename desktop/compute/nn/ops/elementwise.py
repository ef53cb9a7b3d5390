"""Elementwise: the internal operator that passes make of every chain of element-wise operators (all of it is its epilogue)."""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.rows import as_rows, is_of_rows
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import ANY, Operator, same_as_first
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.ops.identity import lower as copy


def lower(lowering: Lowering, node: Node) -> None:
    """A copy with an epilogue; a row-major tensor (a transformer's tokens) stays so, for its second dimension is none of channels."""
    x, name = lowering.values.any(node.inputs[0]), node.outputs[0]
    rows = x.layout == NCHW and len(x.shape) > 2 and x.shape[-1] % 4 == 0
    if rows and not lowering.values.wants_channels_last(name) and is_of_rows(node, lowering.graph):
        lowering.copy(node, as_rows(x), as_rows(lowering.values.result(name, NCHW)))
    else:
        copy(lowering, node)


OPERATOR = Operator("Elementwise", same_as_first, lower, fuses=True, layout=ANY, internal=True, carries=True)
