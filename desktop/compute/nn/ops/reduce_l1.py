"""ReduceL1: the sum of absolute values over axes.

https://onnx.ai/onnx/operators/onnx__ReduceL1.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_SUM = Reduction("Number(0)", "abs(x)", "a + b")
_WHOLE = Reduction("Number(0)", "x", "a + b")

OPERATOR = Operator("ReduceL1", infer_reduction, reducer(_SUM, u32=_WHOLE), host=(1,))
