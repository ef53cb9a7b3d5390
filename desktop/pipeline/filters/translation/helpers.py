"""Functions in WGSL for what GLSL has and WGSL has not, or defines in another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from desktop.pipeline.filters.translation.types import Type

_PLAIN: Final[Mapping[str, str]] = {
    # GLSL's y goes up, and textures of a filter have their first row at the top.
    "glsl_texture": "fn glsl_texture(t: texture_2d<f32>, at: vec2f) -> vec4f "
    "{ return sample(t, vec2f(at.x, 1.0 - at.y)); }",
    # Not every GPU filters 32-bit floats.
    "glsl_texture32": """fn glsl_texture32(t: texture_2d<f32>, at: vec2f) -> vec4f {
  let p = vec2f(at.x, 1.0 - at.y) * vec2f(textureDimensions(t)) - 0.5;
  let i = vec2i(floor(p)); let f = p - floor(p);
  let top = mix(texel(t, i), texel(t, i + vec2i(1, 0)), f.x);
  return mix(top, mix(texel(t, i + vec2i(0, 1)), texel(t, i + vec2i(1, 1)), f.x), f.y);
}""",
    # Light above white stays; negative light is none.
    "glsl_shown": "fn glsl_shown(c: vec4f) -> vec4f "
    "{ return vec4f(max(c.rgb, vec3f()), clamp(c.a, 0.0, 1.0)); }",
    "glsl_nothing": "fn glsl_nothing() {}",
    "glsl_fetch": "fn glsl_fetch(t: texture_2d<f32>, at: vec2i) -> vec4f "
    "{ return texel(t, vec2i(at.x, i32(textureDimensions(t).y) - 1 - at.y)); }",
    "glsl_size": "fn glsl_size(t: texture_2d<f32>) -> vec2f { return vec2f(textureDimensions(t)); }",
    "glsl_inverse2": "fn glsl_inverse2(m: mat2x2f) -> mat2x2f "
    "{ return mat2x2f(m[1].y, -m[0].y, -m[1].x, m[0].x) * (1.0 / determinant(m)); }",
    "glsl_inverse3": "fn glsl_inverse3(m: mat3x3f) -> mat3x3f { let a = cross(m[1], m[2]); "
    "let b = cross(m[2], m[0]); let c = cross(m[0], m[1]); "
    "return transpose(mat3x3f(a, b, c)) * (1.0 / dot(m[0], a)); }",
    "glsl_inverse4": """fn glsl_inverse4(m: mat4x4f) -> mat4x4f {
  let a = m[0]; let b = m[1]; let c = m[2]; let d = m[3];
  let s = cross(a.xyz, b.xyz); let t = cross(c.xyz, d.xyz);
  let u = a.xyz * b.w - b.xyz * a.w; let v = c.xyz * d.w - d.xyz * c.w;
  let k = 1.0 / (dot(s, v) + dot(t, u));
  let r0 = (cross(b.xyz, v) + t * b.w) * k; let r1 = (cross(v, a.xyz) - t * a.w) * k;
  let r2 = (cross(d.xyz, u) + s * d.w) * k; let r3 = (cross(u, c.xyz) - s * c.w) * k;
  return transpose(mat4x4f(vec4f(r0, -dot(b.xyz, t) * k), vec4f(r1, dot(a.xyz, t) * k),
    vec4f(r2, -dot(d.xyz, s) * k), vec4f(r3, dot(c.xyz, s) * k)));
}""",
}

_BY_TYPE: Final[Mapping[str, str]] = {
    "glsl_mod": "fn {name}(x: {T}, y: {T}) -> {T} {{ return x - y * floor(x / y); }}",
    # WGSL refuses constant edges that are not in order, which GLSL computes.
    "glsl_smoothstep": "fn {name}(low: {T}, high: {T}, x: {T}) -> {T} "
    "{{ let t = min(max((x - low) / (high - low), {T}(0.0)), {T}(1.0)); return t * t * (3.0 - 2.0 * t); }}",
    "glsl_clamp": "fn {name}(x: {T}, low: {T}, high: {T}) -> {T} {{ return min(max(x, low), high); }}",
    # '%' of integers is wrong on some drivers (gfx-rs/wgpu 8191).
    "glsl_remainder": "fn {name}(a: {T}, b: {T}) -> {T} {{ return a - b * (a / b); }}",
    # The exponent tells, since compilers assume that no comparison has to do with NaN.
    "glsl_isnan": "fn {name}(x: {T}) -> {B} {{ return (bitcast<{U}>(x) & {U}(0x7fffffffu)) > {U}(0x7f800000u); }}",
    "glsl_isinf": "fn {name}(x: {T}) -> {B} {{ return (bitcast<{U}>(x) & {U}(0x7fffffffu)) == {U}(0x7f800000u); }}",
}


class Helpers:
    """The functions that a translation needs, each once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def plain(self, name: str) -> str:
        """Return the name of a function of fixed types."""
        self._texts.setdefault(name, _PLAIN[name])
        return name

    def typed(self, name: str, kind: Type) -> str:
        """Return the name of a function for a scalar or vector type."""
        full = f"{name}_{kind.base}{kind.size}"
        text = _BY_TYPE[name].format(name=full, T=kind.wgsl, B=kind.of("bool").wgsl, U=kind.of("uint").wgsl)
        self._texts.setdefault(full, text)
        return full

    def add(self, name: str, write: Callable[[], str]) -> str:
        """Return the name of a function that is written when it is first needed."""
        if name not in self._texts:
            self._texts[name] = write()
        return name

    @property
    def text(self) -> str:
        """All of them."""
        return "\n".join(self._texts.values())
