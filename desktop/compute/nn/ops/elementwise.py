"""Elementwise: the internal operator that passes make of every chain of element-wise operators (all of it is its epilogue)."""

from __future__ import annotations

from desktop.compute.nn.lowering.operator import ANY, Operator, same_as_first
from desktop.compute.nn.ops.identity import lower

OPERATOR = Operator("Elementwise", same_as_first, lower, fuses=True, layout=ANY, internal=True)
