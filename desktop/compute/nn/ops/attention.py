"""Attention: matrix products around a masked softmax, with grouped heads and a cache of keys and values, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__Attention.html
"""

from __future__ import annotations

from desktop.compute.nn.expansion import expands
from desktop.compute.nn.operator import Operator
from desktop.compute.nn.schema_function import by_function

OPERATOR = Operator("Attention", expands, expand=by_function)
