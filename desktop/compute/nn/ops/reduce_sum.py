"""ReduceSum: the sum over axes.

https://onnx.ai/onnx/operators/onnx__ReduceSum.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_SUM = Reduction("Number(0)", "x", "a + b")

OPERATOR = Operator("ReduceSum", infer_reduction, reducer(_SUM), host=(1,))
