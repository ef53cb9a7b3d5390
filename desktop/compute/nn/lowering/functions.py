"""Mathematical functions in WGSL that are accurate to about float32's last digits on every GPU.

WGSL guarantees much less (sin and cos: an absolute error of 2^-11). Each is a function of vec4<f32>; the
series are Taylor's after a reduction of the argument, except for erfc.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final


def _polynomial(coefficients: Sequence[float], x: str) -> str:
    """Return the WGSL of c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule."""
    text = repr(float(coefficients[-1]))
    for c in reversed(coefficients[:-1]):
        text = f"({text} * {x} + {c!r})"
    return text


_SIN: Final = [(-1.0) ** n / math.factorial(2 * n + 1) for n in range(5)]
_COS: Final = [(-1.0) ** n / math.factorial(2 * n) for n in range(5)]
_ATAN: Final = [(-1.0) ** n / (2 * n + 1) for n in range(10)]
_ATANH: Final = [1.0 / (2 * n + 1) for n in range(9)]
_EXP_M1: Final = [1.0 / math.factorial(n + 1) for n in range(8)]
_SINH: Final = [1.0 / math.factorial(2 * n + 1) for n in range(6)]
_ERF: Final = [(-1.0) ** n * 2.0 / math.sqrt(math.pi) / math.factorial(n) / (2 * n + 1) for n in range(7)]
# Own fit: erfc(a) = t exp(-a^2 + polynomial(t)), t = 1 / (1 + a / 2); log erfc within 4e-8 for a <= 9.2.
_ERFC: Final = [
    *(-1.26542298, 0.998133418, 0.390863486, 0.0146937951, 0.0590993391),
    *(-0.187967993, -0.56729505, 1.06067235, -0.64032011, 0.13754378),
]
# pi / 2 in three parts, the first two of so few digits that small multiples of them are exact.
_HALF_PI: Final = (1.5703125, 4.837512969970703e-4)
_REST: Final = math.pi / 2 - sum(_HALF_PI)

_FUNCTIONS: Final[dict[str, str]] = {
    # Reduction to [-pi/4, pi/4] and the quadrant give (sine, cosine); inaccurate beyond some 10^5.
    "sine": f"""fn sine(v: vec4<f32>, quarter: u32) -> vec4<f32> {{
  let n = round(v * {2 / math.pi!r});
  let rest = ((v - n * {_HALF_PI[0]!r}) - n * {_HALF_PI[1]!r}) - n * {_REST!r};
  let r = select(clamp(rest, vec4<f32>(-0.8), vec4<f32>(0.8)), special(0x7fc00000u), !is_finite(v));
  let s = r * r;
  let quadrant = bitcast<vec4<u32>>(vec4<i32>(n)) + quarter;
  let found = select(r * {_polynomial(_SIN, "s")}, {_polynomial(_COS, "s")}, (quadrant & vec4<u32>(1u)) == vec4<u32>(1u));
  return select(found, -found, (quadrant & vec4<u32>(2u)) == vec4<u32>(2u));
}}""",
    # GPUs divide to within 2.5 units in the last place; a Newton step gives the nearest float almost always.
    # The remainder is exact without fma, which is not fused everywhere: all factors have 12 bits. The clamp
    # keeps a compiler from joining a / b + rest / b to (a + rest) / b, which an NVIDIA driver does.
    "quotient": """fn quotient(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
  let plain = a / b;
  let near = clamp(plain, vec4<f32>(-1e30), vec4<f32>(1e30));
  let near_high = bitcast<vec4<f32>>(bitcast<vec4<u32>>(near) & vec4<u32>(0xfffff000u));
  let b_high = bitcast<vec4<f32>>(bitcast<vec4<u32>>(b) & vec4<u32>(0xfffff000u));
  let near_low = near - near_high;
  let b_low = b - b_high;
  let rest = (((a - near_high * b_high) - near_high * b_low) - near_low * b_high) - near_low * b_low;
  return select(plain, near + rest / b, (near == plain) & (abs(b) > vec4<f32>(1e-30)) & (abs(b) < vec4<f32>(1e38)));
}""",
    "arc_tangent": f"""fn arc_tangent(v: vec4<f32>) -> vec4<f32> {{
  let a = abs(v);
  let far = a > vec4<f32>(2.4142135);
  let middle = a > vec4<f32>(0.41421356);
  let t = select(select(a, (a - 1.0) / (a + 1.0), middle), -1.0 / a, far);
  let offset = select(select(vec4<f32>(0.0), vec4<f32>({math.pi / 4!r}), middle), vec4<f32>({math.pi / 2!r}), far);
  let s = t * t;
  let found = offset + t * {_polynomial(_ATAN, "s")};
  return select(found, -found, v < vec4<f32>(0.0));
}}""",
    "arc_sine": """fn arc_sine(v: vec4<f32>) -> vec4<f32> {
  return 2.0 * arc_tangent(v / (1.0 + sqrt((1.0 - v) * (1.0 + v))));
}""",
    "arc_cosine": f"""fn arc_cosine(v: vec4<f32>) -> vec4<f32> {{
  let a = abs(v);
  let found = 2.0 * arc_tangent(sqrt((1.0 - a) / (1.0 + a)));
  return select(found, {math.pi!r} - found, v < vec4<f32>(0.0));
}}""",
    # By the bits: WGSL lets a compiler assume that there are no NaNs, and `v != v` is then false.
    "is_nan": """fn is_nan(v: vec4<f32>) -> vec4<bool> {
  return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}""",
    "is_finite": """fn is_finite(v: vec4<f32>) -> vec4<bool> {
  return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7f800000u)) != vec4<u32>(0x7f800000u);
}""",
    # v * by for a number that is known when the kernel is built. Compilers (llvmpipe's too) take v * 0.0 for
    # zero whatever v is, NVIDIA's v * 1e-40 for 1e-40; for any normal number the branch goes away.
    "times": """fn times(v: vec4<f32>, by: f32) -> vec4<f32> {
  if (abs(by) < 1.1754944e-38) { return select(special(0x7fc00000u), v * by, is_finite(v)); }
  return v * by;
}""",
    # A zero with the sign bit `sign`, divided by v, from bits: compilers fold 0.0 / v to zero.
    "zero_over": """fn zero_over(v: vec4<f32>, sign: u32) -> vec4<f32> {
  let bits = bitcast<vec4<u32>>(v);
  let size = bits & vec4<u32>(0x7fffffffu);
  let zero = bitcast<vec4<f32>>((bits ^ vec4<u32>(sign)) & vec4<u32>(0x80000000u));
  return select(zero, special(0x7fc00000u), (size == vec4<u32>(0u)) | (size > vec4<u32>(0x7f800000u)));
}""",
    # NaN for negative numbers even if compilers turn exp(log(x)) into x or the square of sqrt(x) into |x|.
    "logarithm": """fn logarithm(v: vec4<f32>) -> vec4<f32> {
  return select(log(max(v, vec4<f32>(0.0))), special(0x7fc00000u), (v < vec4<f32>(0.0)) | is_nan(v));
}""",
    "square_root": """fn square_root(v: vec4<f32>) -> vec4<f32> {
  return select(sqrt(max(v, vec4<f32>(0.0))), special(0x7fc00000u), (v < vec4<f32>(0.0)) | is_nan(v));
}""",
    # Not a constant expression, in which WGSL forbids NaN and infinity.
    "special": """fn special(bits: u32) -> vec4<f32> {
  var kept = vec4<u32>(bits);
  return bitcast<vec4<f32>>(kept);
}""",
    "within": """fn within(v: vec4<f32>, low: f32, high: f32) -> vec4<f32> {
  var kept = clamp(v, vec4<f32>(low), vec4<f32>(high));
  if (any_nan(v)) { kept = select(kept, v, is_nan(v)); }
  return kept;
}""",
    "at_least": """fn at_least(v: vec4<f32>, low: f32) -> vec4<f32> {
  var kept = max(v, vec4<f32>(low));
  if (any_nan(v)) { kept = select(kept, v, is_nan(v)); }
  return kept;
}""",
    "at_most": """fn at_most(v: vec4<f32>, high: f32) -> vec4<f32> {
  var kept = min(v, vec4<f32>(high));
  if (any_nan(v)) { kept = select(kept, v, is_nan(v)); }
  return kept;
}""",
    # One test for four numbers, then one for each; a NaN from two infinities only takes the slow path.
    "any_nan": """fn any_nan(v: vec4<f32>) -> bool { return nan((v.x + v.y) + (v.z + v.w)); }""",
    "smaller": """fn smaller(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
  return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}""",
    "larger": """fn larger(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
  return select(select(max(a, b), b, is_nan(b)), a, is_nan(a));
}""",
    # The same for single numbers.
    "least": """fn least(a: f32, b: f32) -> f32 { return smaller(vec4<f32>(a), vec4<f32>(b)).x; }""",
    "most": """fn most(a: f32, b: f32) -> f32 { return larger(vec4<f32>(a), vec4<f32>(b)).x; }""",
    "nan": """fn nan(v: f32) -> bool { return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u; }""",
    # exp(v) - 1, which would lose digits near zero.
    "exp_m1": f"""fn exp_m1(v: vec4<f32>) -> vec4<f32> {{
  return select(exp(v) - 1.0, v * {_polynomial(_EXP_M1, "v")}, abs(v) < vec4<f32>(0.5));
}}""",
    # log(1 + u) for u >= 0: 2 atanh(u / (2 + u)) where adding 1 would lose u's digits.
    "log_1p": f"""fn log_1p(u: vec4<f32>) -> vec4<f32> {{
  let t = u / (2.0 + u);
  let s = t * t;
  return select(log(1.0 + u), 2.0 * t * {_polynomial(_ATANH, "s")}, u <= vec4<f32>(1.0));
}}""",
    "area_sine": f"""fn area_sine(v: vec4<f32>) -> vec4<f32> {{
  let a = abs(v);
  let near = min(a, vec4<f32>(1e4));
  let root = sqrt(near * near + 1.0);
  let found = select(log_1p(near + near * near / (1.0 + root)), log(a) + {math.log(2)!r}, a > vec4<f32>(1e4));
  return select(select(found, -found, v < vec4<f32>(0.0)), v, is_nan(v));
}}""",
    "area_cosine": f"""fn area_cosine(v: vec4<f32>) -> vec4<f32> {{
  let t = clamp(v, vec4<f32>(1.0), vec4<f32>(1e4)) - 1.0;
  let found = select(log_1p(t + sqrt(t * (t + 2.0))), log(v) + {math.log(2)!r}, v > vec4<f32>(1e4));
  return select(special(0x7fc00000u), found, (v >= vec4<f32>(1.0)) & !is_nan(v));
}}""",
    "area_tangent": f"""fn area_tangent(v: vec4<f32>) -> vec4<f32> {{
  let s = v * v;
  return select(0.5 * log((1.0 + v) / (1.0 - v)), v * {_polynomial(_ATANH, "s")}, abs(v) < vec4<f32>(0.33));
}}""",
    # e^a / 2 is computed as e^(a - log 2), which does not overflow before the result does.
    "hyperbolic_sine": f"""fn hyperbolic_sine(v: vec4<f32>) -> vec4<f32> {{
  let a = abs(v);
  let s = v * v;
  let far = exp(a - {math.log(2)!r}) - exp(-a - {math.log(2)!r});
  return select(select(far, -far, v < vec4<f32>(0.0)), v * {_polynomial(_SINH, "s")}, a < vec4<f32>(1.0));
}}""",
    "hyperbolic_cosine": f"""fn hyperbolic_cosine(v: vec4<f32>) -> vec4<f32> {{
  return exp(abs(v) - {math.log(2)!r}) + exp(-abs(v) - {math.log(2)!r});
}}""",
    # Not WGSL's tanh, which in some drivers cancels near zero and overflows for large x.
    "hyperbolic_tangent": f"""fn hyperbolic_tangent(v: vec4<f32>) -> vec4<f32> {{
  let e = exp(abs(v));
  let s = min(v * v, vec4<f32>(1.0));
  let near = v * {_polynomial(_SINH, "s")} * 2.0 / (e + 1.0 / e);
  let far = 1.0 - 2.0 / (e * e + 1.0);
  return select(select(far, -far, v < vec4<f32>(0.0)), near, abs(v) < vec4<f32>(1.0));
}}""",
    # 1 - erf(a) for a >= 0.
    "error_rest": f"""fn error_rest(a: vec4<f32>) -> vec4<f32> {{
  let t = 1.0 / (1.0 + 0.5 * a);
  return t * exp(-a * a + {_polynomial(_ERFC, "t")});
}}""",
    "error_function": f"""fn error_function(v: vec4<f32>) -> vec4<f32> {{
  let a = min(abs(v), vec4<f32>(9.0));
  let s = a * a;
  let far = 1.0 - error_rest(a);
  let found = select(select(far, -far, v < vec4<f32>(0.0)), v * {_polynomial(_ERF, "s")}, a < vec4<f32>(0.5));
  return select(found, v, is_nan(v));
}}""",
    # v times the normal distribution's integral up to v; the tail is computed directly to keep digits.
    "gelu": f"""fn gelu(v: vec4<f32>) -> vec4<f32> {{
  let a = abs(v) * {math.sqrt(0.5)!r};
  let rest = select(0.5 * error_rest(min(a, vec4<f32>(9.5))), vec4<f32>(0.0), a > vec4<f32>(9.5));
  return v * select(1.0 - rest, rest, v < vec4<f32>(0.0));
}}""",
    "softplus": """fn softplus(v: vec4<f32>) -> vec4<f32> {
  return max(v, vec4<f32>(0.0)) + log_1p(exp(-abs(v)));
}""",
    # tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2), e = exp(v).
    "mish": """fn mish(v: vec4<f32>) -> vec4<f32> {
  let e = exp(min(v, vec4<f32>(20.0)));
  let n = e * (e + 2.0);
  return v * (n / (n + 2.0));
}""",
    # WGSL's pow has no negative base. An odd exponent keeps its sign; NaN if the exponent is not an integer.
    "power": """fn power(base: vec4<f32>, exponent: vec4<f32>) -> vec4<f32> {
  let one = (exponent == vec4<f32>(0.0)) | (base == vec4<f32>(1.0));
  let known = select(pow(abs(base), exponent), vec4<f32>(1.0), one);
  let ends = select(special(0x7f800000u), vec4<f32>(0.0), exponent > vec4<f32>(0.0));
  let size = select(known, ends, (base == vec4<f32>(0.0)) & (exponent != vec4<f32>(0.0)));
  let whole = floor(exponent) == exponent;
  let odd = whole & (floor(exponent * 0.5) * 2.0 != exponent);
  let negative = bitcast<vec4<i32>>(base) < vec4<i32>(0); // the sign of a zero counts
  let found = select(size, -size, negative & odd & !is_nan(base));
  let missing = is_nan(exponent) | is_nan(base) | ((base < vec4<f32>(0.0)) & (base >= vec4<f32>(-3.4028234e38)) & !whole);
  return select(found, special(0x7fc00000u), missing & !one);
}""",
    # Round to the nearest 16-bit float, ties to even, in integers, as WGSL does not define rounding.
    "half_precision": """fn half_precision(v: vec4<f32>) -> vec4<f32> {
  let bits = bitcast<vec4<u32>>(v);
  let size = bits & vec4<u32>(0x7fffffffu);
  let rounded = (size + 0xfffu + ((size >> vec4<u32>(13u)) & vec4<u32>(1u))) & vec4<u32>(0xffffe000u);
  let tiny = bitcast<vec4<u32>>(round(abs(v) * 16777216.0) * 5.9604644775390625e-8);
  var kept = select(rounded, tiny, size < vec4<u32>(0x38800000u));
  kept = select(kept, vec4<u32>(0x7f800000u), kept >= vec4<u32>(0x47800000u));
  kept = select(kept, size, size > vec4<u32>(0x7f800000u));
  return bitcast<vec4<f32>>(kept | (bits & vec4<u32>(0x80000000u)));
}""",
    "rounded_away": """fn rounded_away(v: vec4<f32>) -> vec4<f32> {
  return sign(v) * floor(abs(v) + 0.5);
}""",
    "whole_mean": """fn whole_mean(v: vec4<f32>, count: vec4<f32>, zero: i32) -> vec4<f32> {
  let n = max(vec4<i32>(count), vec4<i32>(1));
  let sum = vec4<i32>(v) + n * zero;
  let mean = select(sum - n / 2, sum + n / 2, sum > vec4<i32>(0)) / n;
  return vec4<f32>(mean - zero);
}""",
    # The product of two words, upper word first.
    "wide_product": """fn wide_product(a: vec4<u32>, b: vec4<u32>) -> array<vec4<u32>, 2> {
  let low = (a & vec4<u32>(0xffffu)) * (b & vec4<u32>(0xffffu));
  let cross = (a & vec4<u32>(0xffffu)) * (b >> vec4<u32>(16u));
  let other = (a >> vec4<u32>(16u)) * (b & vec4<u32>(0xffffu));
  let middle = (low >> vec4<u32>(16u)) + (cross & vec4<u32>(0xffffu)) + (other & vec4<u32>(0xffffu));
  let upper = (a >> vec4<u32>(16u)) * (b >> vec4<u32>(16u)) + (cross >> vec4<u32>(16u)) + (other >> vec4<u32>(16u));
  return array<vec4<u32>, 2>(upper + (middle >> vec4<u32>(16u)), (low & vec4<u32>(0xffffu)) | (middle << vec4<u32>(16u)));
}""",
    # An integer times factor * 2^(shift - 31), rounded twice (ir/fixed_point.py).
    "fixed_product": """fn fixed_product(v: vec4<f32>, factor: vec4<u32>, shift: vec4<i32>) -> vec4<f32> {
  let x = vec4<i32>(v);
  let negative = vec4<u32>(x < vec4<i32>(0));
  let words = wide_product(vec4<u32>(abs(x)) << vec4<u32>(max(shift, vec4<i32>(0))), factor);
  let below = words[1] + (vec4<u32>(0x40000000u) - negative);
  let above = words[0] + vec4<u32>(below < words[1]);
  let size = vec4<i32>((above << vec4<u32>(1u)) | (below >> vec4<u32>(31u)));
  let high = select(size, -size, x < vec4<i32>(0));
  let right = vec4<u32>(max(-shift, vec4<i32>(0)));
  let mask = (vec4<i32>(1) << right) - 1;
  let threshold = (mask >> vec4<u32>(1u)) + vec4<i32>(high < vec4<i32>(0));
  return vec4<f32>((high >> right) + vec4<i32>((high & mask) > threshold));
}""",
    # The same, rounded once, halves up.
    "fixed_product_once": """fn fixed_product_once(v: vec4<f32>, factor: vec4<u32>, shift: vec4<i32>) -> vec4<f32> {
  let x = vec4<i32>(v);
  let words = wide_product(vec4<u32>(abs(x)), factor);
  let total = vec4<u32>(31 - shift);
  let bit = vec4<u32>(1u) << ((total - 1u) & vec4<u32>(31u));
  let is_high = total > vec4<u32>(32u);
  let less = vec4<u32>(x < vec4<i32>(0));
  let half_below = select(bit, vec4<u32>(0u), is_high) - less;
  let half_above = select(vec4<u32>(0u), bit, is_high) - select(vec4<u32>(0u), less, is_high);
  let below = words[1] + half_below;
  let above = words[0] + half_above + vec4<u32>(below < words[1]);
  let near = (above << ((32u - total) & vec4<u32>(31u))) | (below >> (total & vec4<u32>(31u)));
  let size = vec4<i32>(select(select(near, above, total == vec4<u32>(32u)), above >> ((total - 32u) & vec4<u32>(31u)), is_high));
  return vec4<f32>(select(size, -size, x < vec4<i32>(0)));
}""",
}


def raised(x: str, p: int) -> str:
    """Return the WGSL of |x| to the power of p, NaN for NaN."""
    return {1: f"abs({x})", 2: f"({x}) * ({x})"}.get(p, f"power(vec4<f32>(abs({x})), vec4<f32>({p}.0)).x")


def root(x: str, p: int) -> str:
    """Return the WGSL of the p-th root of x >= 0."""
    return {1: x, 2: f"sqrt({x})"}.get(p, f"power(vec4<f32>({x}), vec4<f32>({1 / p!r})).x")


def functions_in(text: str) -> str:
    """Return the WGSL of this module's functions that `text` calls, also indirectly, but does not define."""
    own = set(re.findall(r"\bfn ([a-z_0-9]+)\(", text))
    found: dict[str, str] = {}
    waiting = [text]
    while waiting:
        for name in re.findall(r"\b([a-z_0-9]+)\(", waiting.pop()):
            if name in _FUNCTIONS and name not in found and name not in own:
                found[name] = _FUNCTIONS[name]
                waiting.append(_FUNCTIONS[name])
    return "\n".join(found.values())
