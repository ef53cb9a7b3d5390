"""DynamicQuantizeLinear: uint8 numbers with a scale and zero point from the tensor's own range, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html
"""

from __future__ import annotations

from desktop.compute.nn.lowering.expansion import expands
from desktop.compute.nn.lowering.operator import Operator
from desktop.compute.nn.ops.functions import by_function

OPERATOR = Operator("DynamicQuantizeLinear", expands, expand=by_function)
