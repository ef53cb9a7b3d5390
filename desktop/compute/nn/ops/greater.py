"""Greater: true where the first is larger, with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Greater.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, compare

OPERATOR = Operator("Greater", compare, mapped("a > b"))
