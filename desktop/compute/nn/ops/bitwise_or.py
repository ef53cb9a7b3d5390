"""BitwiseOr: the bits that one has, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__BitwiseOr.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, broadcast

OPERATOR = Operator("BitwiseOr", broadcast, mapped("a | b"))
