"""ScaledDotProductAttention: the internal operator that a pass makes of two matrix products with a softmax between them."""

from __future__ import annotations

from desktop.compute.nn.kernels.attention import attend
from desktop.compute.nn.lowering.operator import Operator, same_as_first

OPERATOR = Operator("ScaledDotProductAttention", same_as_first, attend)
