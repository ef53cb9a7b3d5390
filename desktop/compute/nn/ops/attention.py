"""Attention: matrix products around a masked softmax, with grouped heads and a cache of keys and values, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__Attention.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.schema_function import by_function
from desktop.compute.nn.lowering.operator import Operator

OPERATOR = Operator("Attention", expands, expand=by_function)
