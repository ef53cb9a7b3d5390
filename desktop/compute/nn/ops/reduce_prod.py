"""ReduceProd: the product over axes.

https://onnx.ai/onnx/operators/onnx__ReduceProd.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Operator

_PRODUCT = Reduction("Number(1)", "x", "a * b")

OPERATOR = Operator("ReduceProd", infer_reduction, reducer(_PRODUCT), host=(1,))
