"""ReduceMax: the largest over axes.

https://onnx.ai/onnx/operators/onnx__ReduceMax.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_FLOATS = Reduction("infinite(0xff800000u)", "x", "most(a, b)")
_SIGNED = Reduction("(-2147483647 - 1)", "x", "max(a, b)")
_TRUTH = Reduction("0", "x", "max(a, b)")
_UNSIGNED = Reduction("0u", "x", "max(a, b)")

OPERATOR = Operator(
    "ReduceMax", infer_reduction, reducer(_FLOATS, i32=_SIGNED, u32=_UNSIGNED, bool=_TRUTH), host=(1,)
)
