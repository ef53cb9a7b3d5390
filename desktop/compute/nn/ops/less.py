"""Less: true where the first is smaller, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Less.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, compare

OPERATOR = Operator("Less", compare, mapped("a < b"))
