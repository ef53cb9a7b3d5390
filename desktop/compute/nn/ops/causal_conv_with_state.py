"""CausalConvWithState: a depthwise convolution over the past alone, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__CausalConvWithState.html
"""

from __future__ import annotations

from desktop.compute.nn.expansion import expands
from desktop.compute.nn.operator import Operator
from desktop.compute.nn.schema_function import by_function

OPERATOR = Operator("CausalConvWithState", expands, expand=by_function)
