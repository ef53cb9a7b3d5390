"""CumSum: the running sum along an axis; exclusive leaves out the element itself, reverse begins at the end.

https://onnx.ai/onnx/operators/onnx__CumSum.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.cumulative import running
from desktop.compute.nn.lowering.operator import Operator, same_as_first

OPERATOR = Operator("CumSum", same_as_first, running("0", "+"), host=(1,))
