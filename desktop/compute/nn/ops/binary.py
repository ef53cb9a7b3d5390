"""Element-wise operators of two tensors with multidirectional broadcasting, a row each. Others have their own files:
BitShift, Mod, Pow, PRelu, SwiGLU.

https://onnx.ai/onnx/operators/onnx__Add.html, and so on by their names.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.kernels.elementwise import folded, mapped
from desktop.compute.nn.kernels.steps import binary_steps
from desktop.compute.nn.lowering.operator import Operator, Quantized, broadcast, compare

OPERATORS: Final = (
    # For floats: the step for `a op b`, and the one for `b op a`.
    Operator(
        "Add", broadcast, mapped("a + b"), binary_steps("add", "add"), quantized=Quantized.SUM, carries=True
    ),
    Operator("Div", broadcast, mapped("a / b"), binary_steps("div", "rdiv"), carries=True),
    Operator(
        "Max",
        broadcast,
        folded("max({a}, {b})", f32="most({a}, {b})"),
        binary_steps("max", "max"),
        carries=True,
    ),
    Operator(
        "Min",
        broadcast,
        folded("min({a}, {b})", f32="least({a}, {b})"),
        binary_steps("min", "min"),
        carries=True,
    ),
    Operator("Mul", broadcast, mapped("a * b"), binary_steps("mul", "mul"), carries=True),
    Operator("Sub", broadcast, mapped("a - b"), binary_steps("sub", "rsub"), carries=True),
    # Of each bit.
    Operator("BitwiseAnd", broadcast, mapped("a & b")),
    Operator("BitwiseOr", broadcast, mapped("a | b")),
    Operator("BitwiseXor", broadcast, mapped("a ^ b")),
    # Of truth values.
    Operator("And", broadcast, mapped("a && b")),
    Operator("Or", broadcast, mapped("a || b")),
    Operator("Xor", broadcast, mapped("a != b")),
    # Yes or no.
    Operator("Equal", compare, mapped("a == b")),
    Operator("Greater", compare, mapped("a > b")),
    Operator("GreaterOrEqual", compare, mapped("a >= b")),
    Operator("Less", compare, mapped("a < b")),
    Operator("LessOrEqual", compare, mapped("a <= b")),
)
