"""Discrete Fourier transforms by their definition, for DFT and STFT: a thread sums up a number of the result.

The sines and cosines come from a table that is computed in float64 when the session is built.
"""

from __future__ import annotations

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import refuse_unless


def wave_table(lowering: Lowering, node: Node, length: int) -> tuple[int, str]:
    """cos and sin of 2 pi i / length, one after the other, for i = 0 ... length - 1: as `constants` of a dispatch."""
    refuse_unless(0 < length < 2**16, node, f"a transform of {length} elements")
    angle = 2 * np.pi * np.arange(length) / length
    table = np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)
    return lowering.memory.constant(table, dtype="float32"), "f32"


def transform(
    count: int,
    length: int,
    real: str,
    imaginary: str,
    frequency: str,
    *,
    inverse: bool = False,
    weight: str = "1.0",
) -> list[str]:
    """WGSL statements that leave in `sum` the sum over m < count of weight * x[m] * exp(-+ 2 pi i frequency m / length).

    Args:
        real, imaginary: expressions of the number x[m].
        frequency: an expression of a u32; `m` is the other one.
        inverse: with + in the exponent.
    """
    sign = "" if inverse else "-"
    return [
        "var sum = vec2<f32>(0.0);",
        f"for (var m = 0u; m < {count}u; m++) {{",
        f"  let phase = ({frequency}) * m % {length}u * 2u;",
        f"  let wave = vec2<f32>(waves[phase], {sign}waves[phase + 1u]);",
        f"  let number = vec2<f32>({real}, {imaginary}) * ({weight});",
        "  sum += vec2<f32>(number.x * wave.x - number.y * wave.y, number.x * wave.y + number.y * wave.x);",
        "}",
    ]
