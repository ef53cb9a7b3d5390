"""BitwiseAnd: the bits that both have, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__BitwiseAnd.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, broadcast

OPERATOR = Operator("BitwiseAnd", broadcast, mapped("a & b"))
