"""And: true where both are, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__And.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, broadcast

OPERATOR = Operator("And", broadcast, mapped("a && b"))
