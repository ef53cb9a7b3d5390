"""OptionalGetElement: the tensor itself, because only plain tensors are taken.

https://onnx.ai/onnx/operators/onnx__OptionalGetElement.html
"""

from __future__ import annotations

from desktop.compute.nn.lowering.operator import Operator, same_as_first
from desktop.compute.nn.ops.reshape import lower

OPERATOR = Operator("OptionalGetElement", same_as_first, lower)
