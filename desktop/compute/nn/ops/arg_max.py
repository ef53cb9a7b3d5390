"""ArgMax: where along an axis the largest element lies; the first of equals, or the last.

https://onnx.ai/onnx/operators/onnx__ArgMax.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.extremes import infer_place, place_of
from desktop.compute.nn.lowering.operator import Operator

OPERATOR = Operator("ArgMax", infer_place, place_of(">"))
