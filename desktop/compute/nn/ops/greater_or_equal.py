"""GreaterOrEqual: true where the first is not smaller, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__GreaterOrEqual.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, compare

OPERATOR = Operator("GreaterOrEqual", compare, mapped("a >= b"))
