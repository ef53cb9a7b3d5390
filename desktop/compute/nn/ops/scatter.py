"""Scatter: the former name of ScatterElements, until opset 10.

https://onnx.ai/onnx/operators/onnx__Scatter.html
"""

from __future__ import annotations

from desktop.compute.nn.lowering.operator import Operator
from desktop.compute.nn.ops.scatter_elements import infer, lower

OPERATOR = Operator("Scatter", infer, lower)
