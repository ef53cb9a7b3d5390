"""BitwiseAnd: the bits that both have, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__BitwiseAnd.html
"""

from __future__ import annotations

from desktop.compute.nn.mapping import mapped
from desktop.compute.nn.operator import Operator, broadcast

OPERATOR = Operator("BitwiseAnd", broadcast, mapped("a & b"))
