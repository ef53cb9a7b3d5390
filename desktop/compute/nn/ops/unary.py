"""Element-wise operators of one tensor: a row each where one formula is all."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float, scalar_type
from desktop.compute.nn.kernels.elementwise import map_elements, mapped
from desktop.compute.nn.kernels.steps import unary_steps
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Lower,
    Operator,
    Quantized,
    compare,
    constant_input,
    refuse_unless,
    require,
    same_as_first,
)


# Affine: alpha * x + beta. https://github.com/onnx/onnx/blob/rel-1.4/docs/Operators.md#experimental-affine
def _steps_affine(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """A product and a sum."""
    alpha, beta = float(node.attributes.get("alpha", 1.0)), float(node.attributes.get("beta", 0.0))
    return node.inputs[0], (EpilogueStep("mul", (alpha,)), EpilogueStep("add", (beta,)))


# Clip: bounds as attributes (before opset 11) or as inputs.

_LARGEST: Final = float(np.finfo(np.float32).max)


def _bound(node: Node, graph: Graph, attribute: str, index: int, default: float) -> float:
    array = constant_input(node, index, graph.constants)
    if array is None:
        return float(node.attributes.get(attribute, default))
    require(array.size == 1, node, "a bound that is not one number")
    return float(array.reshape(()))


def clip_bounds(node: Node, graph: Graph) -> tuple[float, float]:
    """Return the bounds; missing ones are infinite, before opset 11 the largest finite numbers."""
    missing = math.inf if node.version >= 11 else _LARGEST
    low, high = _bound(node, graph, "min", 1, -missing), _bound(node, graph, "max", 2, missing)
    # The specification gives `max` where the bounds cross; WGSL's clamp may give either.
    return min(low, high), high


def _steps_clip(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The steps on input 0. One with a single bound leaves infinities on the other side as they are."""
    low, high = clip_bounds(node, graph)
    refuse_unless(low < math.inf and high > -math.inf, node, "infinity as the smallest or largest result")
    if low > -_LARGEST and high < _LARGEST:
        return node.inputs[0], (EpilogueStep("clip", (low, high)),)
    found = [EpilogueStep("above_infinity")] if low == -_LARGEST else []
    found += [EpilogueStep("below_infinity")] if high == _LARGEST else []
    found += [EpilogueStep("at_least", (low,))] if low > -_LARGEST else []
    found += [EpilogueStep("at_most", (high,))] if high < _LARGEST else []
    return node.inputs[0], tuple(found)


def _lower_clip(lowering: Lowering, node: Node) -> None:
    """Bounds of any type, that the network may compute."""
    expression = "a"
    inputs = [node.inputs[0]]
    floats = is_float(lowering.graph.values[node.inputs[0]].dtype)
    for index, function in ((1, "most"), (2, "least")) if floats else ((1, "max"), (2, "min")):
        if node.input(index):
            expression = f"{function}({expression}, {'abc'[len(inputs)]})"
            inputs.append(node.inputs[index])
    map_elements(lowering, node, expression, inputs, node.outputs[0])


# Gelu: x times the normal distribution's cumulative function, by erf or by the tanh approximation.
def _steps_gelu(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on input 0."""
    kind = "gelu_tanh" if node.attributes.get("approximate", "none") == "tanh" else "gelu"
    return node.inputs[0], (EpilogueStep(kind),)


# IsInf: True for infinite elements; an attribute restricts the sign.
def _lower_is_inf(lowering: Lowering, node: Node) -> None:
    """By the bits: WGSL lets a compiler assume that there are no infinities."""
    wanted = [
        f"bitcast<u32>(a) == {bits}u"
        for name, bits in (("detect_positive", 0x7F800000), ("detect_negative", 0xFF800000))
        if node.attributes.get(name, 1)
    ]
    map_elements(lowering, node, " || ".join(wanted) or "false", node.inputs, node.outputs[0])


# Trilu: the upper or lower triangle of each matrix, zeros elsewhere.
def _lower_trilu(lowering: Lowering, node: Node) -> None:
    """One element a thread."""
    value = lowering.graph.values[node.inputs[0]]
    require(len(value.shape) >= 2, node, "an input that is no matrix")
    rows, columns = value.shape[-2:]
    given = constant_input(node, 1, lowering.graph.constants)
    k = 0 if given is None else max(-(1 << 30), min(int(given.reshape(())), 1 << 30))
    distance = f"i32(at % {max(columns, 1)}u) - i32(at / {max(columns, 1)}u % {max(rows, 1)}u)"
    inside = f"{distance} {'>=' if node.attributes.get('upper', 1) else '<='} {k}"
    expression = f"select({scalar_type(value.dtype)}(0), a, {inside})"
    map_elements(lowering, node, expression, node.inputs[:1], node.outputs[0])


def _of_floats(
    name: str,
    kind: str,
    numbers: tuple[float, ...] = (),
    *,
    lower: Lower | None = None,
    quantized: Quantized | None = None,
    **attributes: float,
) -> Operator:
    """Return an operator with a step `kind` (ir/epilogue.py) of `numbers`, then `attributes` (and defaults).

    `lower` is for the types that steps do not compute with.
    """
    return Operator(name, same_as_first, lower, unary_steps(kind, numbers, **attributes), quantized=quantized)


OPERATORS: Final = (
    Operator("Affine", same_as_first, steps=_steps_affine),
    Operator("Clip", same_as_first, _lower_clip, steps=_steps_clip, quantized=Quantized.CLIPS, carries=True),
    Operator("Gelu", same_as_first, steps=_steps_gelu),
    Operator("IsInf", compare, _lower_is_inf),
    Operator("Trilu", same_as_first, _lower_trilu, host=(1,)),
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
