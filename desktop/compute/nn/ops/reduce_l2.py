"""ReduceL2: the root of the sum of squares over axes.

https://onnx.ai/onnx/operators/onnx__ReduceL2.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_NORM = Reduction("0.0", "f32(x) * f32(x)", "a + b", "sqrt(v)", "f32")

OPERATOR = Operator("ReduceL2", infer_reduction, reducer(_NORM, floats_only=True), host=(1,))
