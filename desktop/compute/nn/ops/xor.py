"""Xor: true where one is and the other is not, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Xor.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, broadcast

OPERATOR = Operator("Xor", broadcast, mapped("a != b"))
