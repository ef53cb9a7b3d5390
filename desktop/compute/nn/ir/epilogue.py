"""Element-wise steps that a kernel applies to its result before it stores it, such as bias, clip, residual.

Passes put `EpilogueStep`s on a node; `statements` makes WGSL on a `vec4<f32>` `v` of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence

_LARGEST: Final = 3.4028234e38


@dataclass(frozen=True)
class EpilogueStep:
    """One element-wise operation: `kind` is a key of the tables below.

    Attributes:
        numbers: parameters; without `operand`, the second operand of a binary kind.
        operand: name of the value that is the second operand of a binary kind.
        table: name of the constant in which a kind of the third table looks results up.
    """

    kind: str
    numbers: tuple[float, ...] = ()
    operand: str = ""
    table: str = ""


# Expressions on the vec4<f32> `v`; p[i] are the step's numbers as WGSL literals. NaN stays NaN: WGSL's min,
# max, clamp drop it and compilers may assume that there are none, so its bits are tested. An overflow of exp
# is infinite and divides to 0.
UNARY: Final[dict[str, str]] = {
    # As integers: from -2^31 (-0.0) to -8388608 (minus infinity); NaNs with a sign lie above.
    "relu": "select(v, vec4<f32>(0.0), bitcast<vec4<i32>>(v) <= vec4<i32>(-8388608))",
    "clip": "within(v, {p[0]}, {p[1]})",
    "at_least": "at_least(v, {p[0]})",
    "at_most": "at_most(v, {p[0]})",
    # Bounds that only hold infinities; no f32(...), which the range watch takes for a result that is meant.
    "above_infinity": "at_least(v, -3.4028234e38)",
    "below_infinity": "at_most(v, 3.4028234e38)",
    "leaky_relu": "select(times(v, {p[0]}), v, v >= vec4<f32>(0.0))",
    "elu": "select(times(exp_m1(v), {p[0]}), v, v >= vec4<f32>(0.0))",
    "sigmoid": "1.0 / (1.0 + exp(-v))",
    "hard_sigmoid": "within(times(v, {p[0]}) + {p[1]}, 0.0, 1.0)",
    # NaN passes, as v is a factor. With a slope of 0 infinity would not: the pass leaves that to HardSigmoid.
    "hard_swish": "v * clamp(v * {p[0]} + {p[1]}, vec4<f32>(0.0), vec4<f32>(1.0))",
    "swish": "v / (1.0 + exp(-v))",
    "tanh": "hyperbolic_tangent(v)",
    "exp": "exp(v)",
    "log": "logarithm(v)",
    "sqrt": "square_root(v)",
    # The power of 1/2, which differs from the square root at minus infinity.
    "root": "select(sqrt(v), -v, v < vec4<f32>(-3.4028234e38))",
    "abs": "abs(v)",
    "neg": "-v",
    "reciprocal": "1.0 / v",
    "sign": "select(sign(v), v, is_nan(v))",
    "sin": "sine(v, 0u)",
    "cos": "sine(v, 1u)",
    "tan": "sine(v, 0u) / sine(v, 1u)",
    "asin": "arc_sine(v)",
    "acos": "arc_cosine(v)",
    "atan": "arc_tangent(v)",
    "sinh": "hyperbolic_sine(v)",
    "cosh": "hyperbolic_cosine(v)",
    "asinh": "area_sine(v)",
    "acosh": "area_cosine(v)",
    "atanh": "area_tangent(v)",
    "square": "v * v",
    "cube": "v * v * v",
    "nearest": "round(v)",
    "softplus": "softplus(v)",
    "softsign": "v / (1.0 + abs(v))",
    "selu": "times(select(times(exp_m1(v), {p[0]}), v, v >= vec4<f32>(0.0)), {p[1]})",
    "celu": "select(times(exp_m1(v / {p[0]}), {p[0]}), v, v >= vec4<f32>(0.0))",
    "thresholded_relu": "select(vec4<f32>(0.0), v, (v > vec4<f32>({p[0]})) & !is_nan(v))",
    "shrink": """select(
    select(select(vec4<f32>(0.0), v - {p[0]}, v > vec4<f32>({p[1]})), v + {p[0]}, v < vec4<f32>(-{p[1]})),
    vec4<f32>(0.0), is_nan(v))""",
    "scaled_swish": "v / (1.0 + exp(-times(v, {p[0]})))",
    "mish": "mish(v)",
    "erf": "error_function(v)",
    "gelu": "gelu(v)",
    # (1 + tanh(z)) / 2 is the sigmoid of 2z, which does not cancel below zero.
    "gelu_tanh": "v / (1.0 + exp(-1.5957691 * v * (1.0 + 0.044715 * v * v)))",
    "half": "half_precision(v)",
    "floor": "floor(v)",
    "ceil": "ceil(v)",
    # To integers between two bounds. WGSL's round is half to even, as ONNX asks.
    "round": "clamp(round(v), vec4<f32>({p[0]}), vec4<f32>({p[1]}))",
    # The same with halves away from zero, of v + zero point: {zero point, smallest, largest}.
    "round_away": "clamp(rounded_away(v + {p[0]}) - {p[0]}, vec4<f32>({p[1]}), vec4<f32>({p[2]}))",
    # Integers times a factor of fixed_point.py {its upper and lower 16 bits, shift, smallest, largest}.
    "requantize": """clamp(fixed_product(v, vec4<u32>((u32({p[0]}) << 16u) | u32({p[1]})), vec4<i32>(i32({p[2]}))),
    vec4<f32>({p[3]}), vec4<f32>({p[4]}))""",
    # The same, rounded once.
    "requantize_once": """clamp(fixed_product_once(v, vec4<u32>((u32({p[0]}) << 16u) | u32({p[1]})), vec4<i32>(i32({p[2]}))),
    vec4<f32>({p[3]}), vec4<f32>({p[4]}))""",
}

BINARY: Final[dict[str, str]] = {
    "add": "v + {b}",
    "sub": "v - {b}",
    "rsub": "{b} - v",
    "mul": "v * {b}",
    "div": "quotient(v, {b})",
    "rdiv": "quotient({b}, v)",
    "min": "smaller(v, {b})",
    "max": "larger(v, {b})",
    "prelu": "select(v * {b}, v, v >= vec4<f32>(0.0))",
    "pow": "power(v, {b})",
    "rpow": "power({b}, v)",
    "swiglu": "v / (1.0 + exp(-times(v, {p[0]}))) * {b}",
    # Mean of a sum of {b} integers, halves away from zero, of v + zero {-, zero point, smallest, largest}.
    "whole_mean": "clamp(whole_mean(v, {b}, i32({p[1]})), vec4<f32>({p[2]}), vec4<f32>({p[3]}))",
}

# The smallest normal float32: GPUs and their compilers flush smaller ones to zero.
_SMALLEST: Final = 2.0**-126

# Binary kinds of which compilers take a zero that they can see for the result's, though that hangs on v.
OF_ZERO: Final[dict[str, str]] = {
    "mul": "times(v, {p[0]})",
    "rdiv": "zero_over(v, {sign}u)",
    "prelu": "select(times(v, {p[0]}), v, v >= vec4<f32>(0.0))",
}

# Kinds with a table {t}, exact where GPUs differ (division, fused products), so quantized results agree.
TABLED: Final[dict[str, str]] = {
    # A rounded, saturated multiple {factor, smallest, largest}: n is right to within 1, and {t} has the
    # smallest v of each result. NaN counts as the smallest, as in ONNX Runtime.
    "quantize": """{{
    v = select(min(v, vec4<f32>(3.4028234e38)), vec4<f32>(-3.4028234e38), is_nan(v));
    let n = clamp(round(v * {p[0]}), vec4<f32>({p[1]}), vec4<f32>({p[2]}));
    let i = vec4<u32>(n - {p[1]});
    let here = vec4<f32>({t}[i.x], {t}[i.y], {t}[i.z], {t}[i.w]);
    let next = vec4<f32>({t}[i.x + 1u], {t}[i.y + 1u], {t}[i.z + 1u], {t}[i.w + 1u]);
    v = n + select(vec4<f32>(0.0), vec4<f32>(1.0), v >= next) - select(vec4<f32>(0.0), vec4<f32>(1.0), v < here);
  }}""",
    # Integers times a factor per channel {smallest, largest}: {b} has the channel, {t} multiplier and shift.
    "requantize_channels": """{{
    let i = vec4<u32>({b}) * 2u;
    let factor = vec4<u32>({t}[i.x], {t}[i.y], {t}[i.z], {t}[i.w]);
    let shift = vec4<u32>({t}[i.x + 1u], {t}[i.y + 1u], {t}[i.z + 1u], {t}[i.w + 1u]);
    v = clamp(fixed_product(v, factor, bitcast<vec4<i32>>(shift)), vec4<f32>({p[0]}), vec4<f32>({p[1]}));
  }}""",
    "requantize_channels_once": """{{
    let i = vec4<u32>({b}) * 2u;
    let factor = vec4<u32>({t}[i.x], {t}[i.y], {t}[i.z], {t}[i.w]);
    let shift = vec4<u32>({t}[i.x + 1u], {t}[i.y + 1u], {t}[i.z + 1u], {t}[i.w + 1u]);
    v = clamp(fixed_product_once(v, factor, bitcast<vec4<i32>>(shift)), vec4<f32>({p[0]}), vec4<f32>({p[1]}));
  }}""",
    # Bytes are added to as integers: NVIDIA's compiler distributes (byte + zero) * scale, which is 4e-7 off.
    # Any function of an integer {smallest of v, numbers of v, smallest result}: {t} has a byte each.
    "map": """{{
    let i = min(vec4<u32>(max(v - {p[0]}, vec4<f32>(0.0))), vec4<u32>(u32({p[1]}) - 1u));
    let word = vec4<u32>({t}[i.x / 4u], {t}[i.y / 4u], {t}[i.z / 4u], {t}[i.w / 4u]);
    v = vec4<f32>(vec4<i32>((word >> (i % 4u * 8u)) & vec4<u32>(255u)) + i32({p[2]}));
  }}""",
    # Any function of two {smallest of v and of the operand, steps of both in the table, smallest result}.
    "map_pair": """{{
    let i = vec4<u32>((v - {p[0]}) * {p[2]} + ({b} - {p[1]}) * {p[3]});
    let word = vec4<u32>({t}[i.x / 4u], {t}[i.y / 4u], {t}[i.z / 4u], {t}[i.w / 4u]);
    v = vec4<f32>(vec4<i32>((word >> (i % 4u * 8u)) & vec4<u32>(255u)) + i32({p[4]}));
  }}""",
    # Any function of two integers {smallest of v and of the operand, operands, smallest result}, a byte each.
    "lookup": """{{
    let i = vec4<u32>((v - {p[0]}) * {p[2]} + ({b} - {p[1]}));
    let word = vec4<u32>({t}[i.x / 4u], {t}[i.y / 4u], {t}[i.z / 4u], {t}[i.w / 4u]);
    v = vec4<f32>(vec4<i32>((word >> (i % 4u * 8u)) & vec4<u32>(255u)) + i32({p[3]}));
  }}""",
}


def literal(number: float) -> str:
    """A WGSL f32 literal; infinity becomes the largest finite number, as WGSL has no literal for it."""
    if math.isnan(number):
        raise ModelUnsupportedError(
            sentence("An attribute is not a number; use the onnxruntime backend."),
            ("an attribute that is no number",),
        )
    return f"f32({min(max(float(number), -_LARGEST), _LARGEST)!r})"


_FLOORS: Final = frozenset({"at_least", "clip", "max", "add"})
_SMALLEST_HALF: Final = 2.0**-24


def with_floors(steps: tuple[EpilogueStep, ...]) -> tuple[EpilogueStep, ...]:
    """The steps of a float16 result, with bounds that guard against zero raised to the smallest float16.

    Exporters write `x / max(|x|, 1e-12)`: as float16 the bound is zero, and a row of zeros becomes NaN.
    """
    if not steps or steps[-1].kind not in _FLOORS or not steps[-1].numbers:
        return steps
    first, *others = steps[-1].numbers
    if not 0 < first < _SMALLEST_HALF:
        return steps
    return (*steps[:-1], replace(steps[-1], numbers=(_SMALLEST_HALF, *others)))


def statements(
    steps: tuple[EpilogueStep, ...], operands: Mapping[str, str], tables: Mapping[str, str]
) -> list[str]:
    """WGSL statements that apply `steps` to `v`.

    `operands`: WGSL expression of each value's vec4<f32> here; `tables`: WGSL variable of each table.
    """
    lines = []
    for step in steps:
        numbers = [literal(number) for number in step.numbers]
        if step.kind in TABLED:
            lines.append(
                TABLED[step.kind].format(p=numbers, b=operands.get(step.operand), t=tables[step.table])
            )
            continue
        if step.kind in UNARY:
            expression = UNARY[step.kind].format(p=numbers)
        elif not step.operand and abs(step.numbers[0]) < _SMALLEST and step.kind in OF_ZERO:
            sign = 0x80000000 if math.copysign(1.0, step.numbers[0]) < 0 else 0
            expression = OF_ZERO[step.kind].format(p=numbers, sign=sign)
        else:
            other = operands[step.operand] if step.operand else f"vec4<f32>({numbers[0]})"
            expression = BINARY[step.kind].format(b=other, p=numbers)
        lines.append(f"v = {expression};")
    return lines
