"""RotaryEmbedding: pairs of features turned by an angle for each position, as ONNX spells it out.

https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.expansion import expands
from desktop.compute.nn.kernels.schema_function import by_function
from desktop.compute.nn.lowering.operator import Operator

OPERATOR = Operator("RotaryEmbedding", expands, expand=by_function)
