"""Or: true where one or both are, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Or.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, broadcast

OPERATOR = Operator("Or", broadcast, mapped("a || b"))
