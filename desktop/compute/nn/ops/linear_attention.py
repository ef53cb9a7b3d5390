"""LinearAttention: a recurrence over a state of keys by values, as ONNX spells it out (a Scan).

https://onnx.ai/onnx/operators/onnx__LinearAttention.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.schema_function import by_function
from desktop.compute.nn.lowering.operator import Operator

OPERATOR = Operator("LinearAttention", expands, expand=by_function)
