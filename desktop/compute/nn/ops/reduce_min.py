"""ReduceMin: the smallest over axes.

https://onnx.ai/onnx/operators/onnx__ReduceMin.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_FLOATS = Reduction("infinite(0x7f800000u)", "x", "least(a, b)")
_SIGNED = Reduction("2147483647", "x", "min(a, b)")
_TRUTH = Reduction("1", "x", "min(a, b)")
_UNSIGNED = Reduction("4294967295u", "x", "min(a, b)")

OPERATOR = Operator(
    "ReduceMin", infer_reduction, reducer(_FLOATS, i32=_SIGNED, u32=_UNSIGNED, bool=_TRUTH), host=(1,)
)
