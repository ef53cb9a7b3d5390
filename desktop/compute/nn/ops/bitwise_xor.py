"""BitwiseXor: the bits in which they differ, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__BitwiseXor.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, broadcast

OPERATOR = Operator("BitwiseXor", broadcast, mapped("a ^ b"))
