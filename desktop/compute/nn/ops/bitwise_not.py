"""BitwiseNot: every bit turned over.

https://onnx.ai/onnx/operators/onnx__BitwiseNot.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, same_as_first

OPERATOR = Operator("BitwiseNot", same_as_first, mapped("~a"))
