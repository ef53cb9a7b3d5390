"""LessOrEqual: true where the first is not larger, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__LessOrEqual.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, compare

OPERATOR = Operator("LessOrEqual", compare, mapped("a <= b"))
