"""Floats of 16, 8 and 4 bits that WGSL lacks, held as float32, and the WGSL that rounds to them at a Cast.

Not packed: each moving operator would need a kernel, and weights are dequantized at loading anyway. Formats:
OCP 8-bit Floating Point 1.0, OCP Microscaling 1.0 (FP4, E8M0), those of Graphcore and AMD ("uz");
https://onnx.ai/onnx/technical/float8.html, https://onnx.ai/onnx/technical/float4.html
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

_NAN: Final = 0x7FC00000
_INFINITY: Final = 0x7F800000
_POWERS: Final = "float8_e8m0fnu"
"""Powers of two from 2^-127 to 2^127, and NaN: a float32's exponent."""


@dataclass(frozen=True)
class NarrowFloat:
    """A float format with `mantissa` stored bits; `least` is the exponent of the smallest normal number.

    Attributes:
        largest: the largest finite number; `beyond` is what a larger one becomes if not saturated.
        negative_zero: False where a zero has no sign.
    """

    mantissa: int
    least: int
    largest: float
    beyond: Literal["infinity", "nan", "largest"]
    negative_zero: bool = True


NARROW_FLOATS: Final = {
    "bfloat16": NarrowFloat(7, -126, 255.0 * 2.0**120, "infinity"),
    "float8_e4m3fn": NarrowFloat(3, -6, 448.0, "nan"),
    "float8_e4m3fnuz": NarrowFloat(3, -7, 240.0, "nan", negative_zero=False),
    "float8_e5m2": NarrowFloat(2, -14, 57344.0, "infinity"),
    "float8_e5m2fnuz": NarrowFloat(2, -15, 57344.0, "nan", negative_zero=False),
    _POWERS: NarrowFloat(0, -127, 2.0**127, "nan"),
    "float4_e2m1fn": NarrowFloat(1, 0, 6.0, "largest"),
}


@dataclass(frozen=True)
class Rounding:
    """Rounding of Cast and QuantizeLinear, by their attributes.

    Attributes:
        saturates: too large 8-bit floats and infinity become the largest number, else the format's value.
        mode: 'up', 'down' or 'nearest', of powers of two; others round to nearest, ties to even.
    """

    saturates: bool = True
    mode: str = "up"

    @classmethod
    def of(cls, attributes: Mapping[str, Any]) -> Rounding:
        """Return the rounding that a node's attributes state."""
        mode = attributes.get("round_mode", "up")
        return cls(bool(attributes.get("saturate", 1)), mode.decode() if isinstance(mode, bytes) else mode)


def _bits(number: float) -> int:
    return int(np.float32(number).view(np.uint32))


def rounding_code(dtype: str, how: Rounding) -> tuple[str, str]:
    """(name, WGSL) of a function of f32 that gives the number of `dtype` that it becomes."""
    name = f"to_{dtype}"
    lines = _power_lines(how) if dtype == _POWERS else _lines(dtype, how)
    head = [
        f"fn {name}(v: f32) -> f32 {{",
        "  let bits = bitcast<u32>(v);",
        "  let size = bits & 0x7fffffffu;",
    ]
    return name, "\n".join([*head, *lines, "}"])


def _lines(dtype: str, how: Rounding) -> list[str]:
    form = NARROW_FLOATS[dtype]
    drop, largest = 23 - form.mantissa, _bits(form.largest)
    mask = 0xFFFFFFFF << drop & 0xFFFFFFFF
    lines = [f"  var kept = (size + {2 ** (drop - 1) - 1}u + ((size >> {drop}u) & 1u)) & {mask}u;"]
    if form.least > -126:
        # Below the smallest normal number they lie evenly.
        steps = 2.0 ** (form.mantissa - form.least)
        tiny = f"bitcast<u32>(round(abs(v) * {steps!r}) * {1 / steps!r})"
        lines.append(f"  kept = select(kept, {tiny}, size < {_bits(2.0**form.least)}u);")
    saturated = form.beyond == "largest" or (how.saturates and dtype != "bfloat16")
    beyond = largest if saturated else _INFINITY if form.beyond == "infinity" else _NAN
    lines.append(f"  kept = select(kept, {beyond}u, kept > {largest}u);")
    sign = "(bits & 0x80000000u)"
    if not form.negative_zero:
        sign = f"select({sign}, 0u, kept == 0u)"
    # 4 bits have no NaN: it becomes their largest number.
    nan = largest if form.beyond == "largest" else _NAN
    return [*lines, f"  return bitcast<f32>(select(kept | {sign}, {nan}u, size > {_INFINITY}u));"]


def _power_lines(how: Rounding) -> list[str]:
    """The sign is lost; zero becomes the smallest power, infinity NaN."""
    above = {
        "up": "rest > 0u",
        "down": "false",
        "nearest": "rest > 0x400000u || (rest == 0x400000u && size >= 0x800000u)",
    }[how.mode]
    last = "power < 254u" if how.saturates else "power < 255u"
    return [
        "  let rest = size & 0x7fffffu;",
        "  var power = size >> 23u;",
        f"  power += select(0u, 1u, ({above}) && {last});",
        f"  let kept = select(power << 23u, {_NAN}u, power == 255u);",
        "  return bitcast<f32>(select(kept, 0x400000u, power == 0u));",
    ]


def rounded(array: np.ndarray, dtype: str, how: Rounding) -> np.ndarray:
    """An array rounded to `dtype` (of ml_dtypes) on the host, as by `rounding_code`."""
    form, wanted = NARROW_FLOATS[dtype], numpy_dtype(dtype)
    with np.errstate(all="ignore"):
        numbers = array.astype(np.float32)
    if dtype == _POWERS:
        return _powers(numbers, how).view(wanted)
    if form.beyond == "largest":
        numbers = np.where(np.isnan(numbers), np.float32(form.largest), numbers)
    elif how.saturates and dtype != "bfloat16":
        numbers = np.clip(numbers, -form.largest, form.largest)
    return numbers.astype(wanted)


def _powers(numbers: np.ndarray, how: Rounding) -> np.ndarray:
    size = np.ascontiguousarray(numbers).view(np.uint32) & 0x7FFFFFFF
    rest, power = size & 0x7FFFFF, size >> 23
    above = {
        "up": rest > 0,
        "down": np.zeros(rest.shape, bool),
        "nearest": (rest > 0x400000) | ((rest == 0x400000) & (power > 0)),
    }[how.mode]
    power += above & (power < (254 if how.saturates else 255))
    return power.astype(np.uint8)


def numpy_dtype(name: str) -> np.dtype[Any]:
    """NumPy's or ml_dtypes' type of that name; raise TypeError if there is none."""
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes

        kind = getattr(ml_dtypes, name, None)
        if kind is None:
            raise
        return np.dtype(kind)
