"""Not: the other truth value.

https://onnx.ai/onnx/operators/onnx__Not.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, same_as_first

OPERATOR = Operator("Not", same_as_first, mapped("!a"))
