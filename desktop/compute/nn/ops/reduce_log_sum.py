"""ReduceLogSum: the logarithm of the sum over axes.

https://onnx.ai/onnx/operators/onnx__ReduceLogSum.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_LOG = Reduction("0.0", "f32(x)", "a + b", "select(log(v), infinite(0xff800000u), v == 0.0)", "f32")

OPERATOR = Operator("ReduceLogSum", infer_reduction, reducer(_LOG, floats_only=True), host=(1,))
