"""CumProd: the running product along an axis; exclusive leaves out the element itself, reverse begins at the end.

https://onnx.ai/onnx/operators/onnx__CumProd.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.cumulative import running
from desktop.compute.nn.lowering.operator import Operator, same_as_first

OPERATOR = Operator("CumProd", same_as_first, running("1", "*"), host=(1,))
