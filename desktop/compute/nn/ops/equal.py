"""Equal: true where both are the same, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Equal.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, compare

OPERATOR = Operator("Equal", compare, mapped("a == b"))
