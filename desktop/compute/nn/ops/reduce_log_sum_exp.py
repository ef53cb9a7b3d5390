"""ReduceLogSumExp: the logarithm of the sum of exponentials over axes; the maximum is taken out first, as everywhere.

https://onnx.ai/onnx/operators/onnx__ReduceLogSumExp.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu

# The largest so far, and the sum of the exponentials less it. The lower bound is finite: infinities less each other are no number.
_LOWEST = "-3.4028234e38"
_JOIN = "vec2<f32>(most(a.x, b.x), a.y * exp(max(a.x - max(a.x, b.x), -200.0)) + b.y * exp(max(b.x - max(a.x, b.x), -200.0)))"
_LOG = Reduction(
    f"vec2<f32>({_LOWEST}, 0.0)",
    "vec2<f32>(f32(x), 1.0)",
    _JOIN,
    "select(select(v.x + log(v.y), infinite(0xff800000u), v.y == 0.0), v.x, v.x > 3.4028234e38 || nan(v.x))",
    "vec2<f32>",
)

OPERATOR = Operator(
    "ReduceLogSumExp", infer_reduction, reducer(_LOG, floats_only=True), host=(1,), fold=left_to_the_gpu
)
