"""IsNaN: true where a float is not a number.

https://onnx.ai/onnx/operators/onnx__IsNaN.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.mapping import mapped
from desktop.compute.nn.lowering.operator import Operator, compare

# By the bits: WGSL lets a compiler assume that there are no NaNs, and `x != x` is then false.
OPERATOR = Operator("IsNaN", compare, mapped("(bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u"))
