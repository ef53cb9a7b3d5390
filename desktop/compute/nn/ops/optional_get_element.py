"""OptionalGetElement and Optional: the tensor or the sequence itself, which is always there.

https://onnx.ai/onnx/operators/onnx__OptionalGetElement.html
"""

from __future__ import annotations

from desktop.compute.nn.lowering.expansion import same_sequence
from desktop.compute.nn.lowering.operator import Operator, same_as_first
from desktop.compute.nn.ops.reshape import lower

OPERATORS = tuple(
    Operator(name, same_as_first, lower, expand=same_sequence) for name in ("OptionalGetElement", "Optional")
)
