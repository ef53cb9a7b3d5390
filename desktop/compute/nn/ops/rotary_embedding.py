"""RotaryEmbedding: pairs of features turned by an angle for each position, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html
"""

from __future__ import annotations

from desktop.compute.nn.expansion import expands
from desktop.compute.nn.operator import Operator
from desktop.compute.nn.schema_function import by_function

OPERATOR = Operator("RotaryEmbedding", expands, expand=by_function)
