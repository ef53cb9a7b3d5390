"""LinearAttention: a recurrence over a state of keys by values, as ONNX spells it out (a Scan).

https://onnx.ai/onnx/operators/onnx__LinearAttention.html
"""

from __future__ import annotations

from desktop.compute.nn.expansion import expands
from desktop.compute.nn.operator import Operator
from desktop.compute.nn.schema_function import by_function

OPERATOR = Operator("LinearAttention", expands, expand=by_function)
