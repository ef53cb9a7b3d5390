"""Element-wise operators of one tensor, a row each. Others have their own files: Cast, Clip, Gelu, IsInf, Affine.

https://onnx.ai/onnx/operators/onnx__Abs.html, and so on by their names.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.kernels.elementwise import mapped
from desktop.compute.nn.kernels.steps import unary_steps
from desktop.compute.nn.lowering.operator import Lower, Operator, Quantized, compare, same_as_first


def _of_floats(
    name: str,
    kind: str,
    numbers: tuple[float, ...] = (),
    *,
    lower: Lower | None = None,
    quantized: Quantized | None = None,
    **attributes: float,
) -> Operator:
    """One whose step is of the kind `kind` (ir/epilogue.py).

    Args:
        numbers: of the step.
        lower: for the types that steps do not compute with.
        attributes: those that are the step's numbers, with what they are where a node leaves them out.
    """
    return Operator(name, same_as_first, lower, unary_steps(kind, numbers, **attributes), quantized=quantized)


OPERATORS: Final = (
    _of_floats("Abs", "abs", lower=mapped("abs(a)", u32="a")),
    _of_floats("Acos", "acos"),
    _of_floats("Acosh", "acosh"),
    _of_floats("Asin", "asin"),
    _of_floats("Asinh", "asinh"),
    _of_floats("Atan", "atan"),
    _of_floats("Atanh", "atanh"),
    Operator("BitwiseNot", same_as_first, mapped("~a")),
    _of_floats("Ceil", "ceil"),
    _of_floats("Celu", "celu", alpha=1.0),  # alpha * (exp(x / alpha) - 1) below zero
    _of_floats("Cos", "cos"),
    _of_floats("Cosh", "cosh"),
    _of_floats("Elu", "elu", alpha=1.0),  # alpha * (exp(x) - 1) below zero
    _of_floats("Erf", "erf"),
    _of_floats("Exp", "exp"),
    _of_floats("Floor", "floor"),
    _of_floats("HardSigmoid", "hard_sigmoid", alpha=0.2, beta=0.5),  # max(0, min(1, alpha * x + beta))
    _of_floats("HardSwish", "hard_swish", (1 / 6, 0.5)),  # x * max(0, min(1, x / 6 + 0.5))
    # By the bits: WGSL lets a compiler assume that there are no NaNs, and `x != x` is then false.
    Operator("IsNaN", compare, mapped("(bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u")),
    _of_floats("LeakyRelu", "leaky_relu", alpha=0.01),  # alpha * x below zero
    _of_floats("Log", "log"),
    _of_floats("Mish", "mish"),  # x * tanh(softplus(x))
    _of_floats("Neg", "neg", lower=mapped("-a")),
    Operator("Not", same_as_first, mapped("!a")),
    _of_floats("Reciprocal", "reciprocal"),
    _of_floats("Relu", "relu", lower=mapped("max(a, 0)"), quantized=Quantized.CLIPS),
    _of_floats("Round", "nearest"),  # halves to even
    # gamma * (alpha * exp(x) - alpha) below zero, gamma * x above
    _of_floats("Selu", "selu", alpha=1.6732631921768188, gamma=1.0507010221481323),
    _of_floats("Shrink", "shrink", bias=0.0, lambd=0.5),  # nearer to zero by bias, zero within lambd
    _of_floats("Sigmoid", "sigmoid"),
    _of_floats("Sign", "sign", lower=mapped("sign(a)", u32="min(a, 1u)")),
    _of_floats("Sin", "sin"),
    _of_floats("Sinh", "sinh"),
    _of_floats("Softplus", "softplus"),  # log(1 + exp(x))
    _of_floats("Softsign", "softsign"),  # x / (1 + |x|)
    _of_floats("Sqrt", "sqrt"),
    _of_floats("Swish", "scaled_swish", alpha=1.0),  # x * sigmoid(alpha * x)
    _of_floats("Tan", "tan"),
    _of_floats("Tanh", "tanh"),
    _of_floats("ThresholdedRelu", "thresholded_relu", alpha=1.0),  # zero up to alpha
)
