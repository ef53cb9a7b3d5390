"""Element-wise steps that a kernel applies to its result before it stores it.

A chain such as bias, clip, quantise, residual add is a tuple of `Step`s on a node. The passes build it, `statements`
turns it into WGSL on a `vec4<f32>` called `v`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

_LARGEST: Final = 3.4028234e38


@dataclass(frozen=True)
class Step:
    """One element-wise operation.

    Attributes:
        kind: a key of the unary or binary table below.
        numbers: its parameters; of a binary kind with no `operand`, the scalar second operand.
        operand: name of the value that is the second operand of a binary kind.
    """

    kind: str
    numbers: tuple[float, ...] = ()
    operand: str = ""


# Expressions on the vec4<f32> `v`; p[i] are the step's numbers as WGSL literals. tanh is clamped because some drivers
# compute it as (e^2x - 1) / (e^2x + 1), which is NaN for large x.
UNARY: Final[dict[str, str]] = {
    "relu": "max(v, vec4<f32>(0.0))",
    "clip": "clamp(v, vec4<f32>({p[0]}), vec4<f32>({p[1]}))",
    "leaky_relu": "select(v * {p[0]}, v, v >= vec4<f32>(0.0))",
    "elu": "select({p[0]} * (exp(min(v, vec4<f32>(0.0))) - 1.0), v, v >= vec4<f32>(0.0))",
    "sigmoid": "1.0 / (1.0 + exp(clamp(-v, vec4<f32>(-80.0), vec4<f32>(80.0))))",
    "hard_sigmoid": "clamp(v * {p[0]} + {p[1]}, vec4<f32>(0.0), vec4<f32>(1.0))",
    "hard_swish": "v * clamp(v * {p[0]} + {p[1]}, vec4<f32>(0.0), vec4<f32>(1.0))",
    "swish": "v / (1.0 + exp(clamp(-v, vec4<f32>(-80.0), vec4<f32>(80.0))))",
    "tanh": "tanh(clamp(v, vec4<f32>(-20.0), vec4<f32>(20.0)))",
    "exp": "exp(v)",
    "log": "log(v)",
    "sqrt": "sqrt(v)",
    "abs": "abs(v)",
    "neg": "-v",
    "reciprocal": "1.0 / v",
    "floor": "floor(v)",
    "ceil": "ceil(v)",
    # QuantizeLinear then DequantizeLinear: {scale, zero point, smallest, largest}. WGSL's round is half to even, as ONNX asks.
    "quantize": "(clamp(round(v / {p[0]}) + {p[1]}, vec4<f32>({p[2]}), vec4<f32>({p[3]})) - {p[1]}) * {p[0]}",
}

BINARY: Final[dict[str, str]] = {
    "add": "v + {b}",
    "sub": "v - {b}",
    "rsub": "{b} - v",
    "mul": "v * {b}",
    "div": "v / {b}",
    "rdiv": "{b} / v",
    "min": "min(v, {b})",
    "max": "max(v, {b})",
    "prelu": "select(v * {b}, v, v >= vec4<f32>(0.0))",
}


def literal(number: float) -> str:
    """A WGSL f32 literal. Infinite bounds become the largest finite number, because WGSL has no literal for them."""
    if math.isnan(number):
        raise ValueError("a parameter is not a number")
    return f"f32({min(max(float(number), -_LARGEST), _LARGEST)!r})"


def statements(steps: tuple[Step, ...], operands: dict[str, str]) -> list[str]:
    """WGSL statements that apply `steps` to `v`.

    Args:
        operands: for each value that a step reads, the WGSL expression of its vec4<f32> at the current position.
    """
    lines = []
    for step in steps:
        if step.kind in UNARY:
            expression = UNARY[step.kind].format(p=[literal(number) for number in step.numbers])
        else:
            other = operands[step.operand] if step.operand else f"vec4<f32>({literal(step.numbers[0])})"
            expression = BINARY[step.kind].format(b=other)
        lines.append(f"v = {expression};")
    return lines
