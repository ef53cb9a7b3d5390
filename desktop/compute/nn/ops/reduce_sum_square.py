"""ReduceSumSquare: the sum of squares over axes.

https://onnx.ai/onnx/operators/onnx__ReduceSumSquare.html
"""

from __future__ import annotations

from desktop.compute.nn.operator import Operator
from desktop.compute.nn.reduction import Reduction, infer_reduction, reducer

_SUM = Reduction("Number(0)", "x * x", "a + b")

OPERATOR = Operator("ReduceSumSquare", infer_reduction, reducer(_SUM), host=(1,))
