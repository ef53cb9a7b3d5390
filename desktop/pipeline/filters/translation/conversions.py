"""Conversions between types, and constructors (GLSL 4.60, sections 4.1.10 and 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.types import Type, converts
from desktop.pipeline.filters.translation.values import Value, float_text, int_text


def literal(kind: str, value: float) -> Value:
    """Return a literal of a scalar type."""
    if kind == "bool":
        return Value("true" if value else "false", Type("bool"), is_fixed=True, number=value)
    texts = {"float": float_text, "int": int_text, "uint": lambda v: f"{int(v)}u"}
    return Value(texts[kind](value), Type(kind), is_fixed=True, number=value)


def cast(value: Value, base: str) -> Value:
    """Return a scalar or vector with its numbers converted, as a constructor does."""
    if value.type.base == base:
        return value
    kind = value.type.of(base)
    if value.number is not None and base == "float":
        return literal("float", value.number)
    if (
        value.number is not None
        and base == "int"
        and value.type.base == "float"
        and abs(value.number) < 1 << 31
    ):
        return literal("int", int(value.number)) if value.number >= 0 else Value(f"i32({value.text})", kind)
    return Value(f"{kind.wgsl}({value.text})", kind, is_fixed=value.is_fixed)


def converted(value: Value, wanted: Type, line: int) -> Value:
    """Return a value for where `wanted` is expected; raise FilterError if it is not converted implicitly."""
    if value.type == wanted:
        return value
    if wanted.is_number and converts(value.type, wanted):
        return cast(value, wanted.base)
    raise fault(
        line,
        sentence(
            "a value of type {given} is where {wanted} is expected; convert it",
            given=value.type.glsl,
            wanted=wanted.glsl,
        ),
    )


def splat(value: Value, wanted: Type) -> Value:
    """Return a scalar as a vector of equal components, where `wanted` is one."""
    if value.type.size == wanted.size:
        return value
    return Value(f"{wanted.wgsl}({value.text})", wanted, is_fixed=value.is_fixed)


def construct(kind: Type, given: Sequence[Value], line: int) -> Value:
    """Return a scalar, vector or matrix made of arguments that can be written more than once."""
    wrong = fault(
        line, sentence("the arguments of {kind}() do not fit it; count their components", kind=kind.glsl)
    )
    if not given or not all(value.type.is_number or value.type.is_matrix for value in given):
        raise wrong
    if kind.is_matrix:
        return _matrix(kind, given, line)
    first = given[0]
    if kind.is_scalar:
        if len(given) != 1:
            raise wrong
        return cast(first if first.type.is_scalar else _component(first, 0), kind.base)
    if len(given) == 1 and first.type.is_scalar:
        return splat(cast(first, kind.base), kind)
    if len(given) == 1 and first.type.is_vector and first.type.size >= kind.size:
        return cast(_shortened(first, kind.size), kind.base)
    parts: list[str] = []
    filled = 0
    for value in given:
        for part in (
            [value] if value.type.is_number else [_column(value, i) for i in range(value.type.columns)]
        ):
            if filled >= kind.size:
                raise wrong
            used = cast(_shortened(part, min(part.type.size, kind.size - filled)), kind.base)
            parts.append(used.text)
            filled += used.type.size
    if filled != kind.size:
        raise wrong
    return Value(f"{kind.wgsl}({', '.join(parts)})", kind, is_fixed=all(v.is_fixed for v in given))


def _shortened(value: Value, size: int) -> Value:
    if size == value.type.size:
        return value
    return Value(f"{value.within(10)}.{'xyzw'[:size]}", value.type.sized(size), is_fixed=value.is_fixed)


def _column(value: Value, index: int) -> Value:
    return Value(f"{value.within(10)}[{index}]", value.type.element, is_fixed=value.is_fixed)


def _component(value: Value, index: int) -> Value:
    if value.type.is_matrix:
        column, row = divmod(index, value.type.size)
        return _component(_column(value, column), row)
    if value.type.is_scalar:
        return value
    return Value(f"{value.within(10)}.{'xyzw'[index]}", value.type.sized(1), is_fixed=value.is_fixed)


def _matrix(kind: Type, given: Sequence[Value], line: int) -> Value:
    first = given[0]
    if len(given) == 1 and first.type == kind:
        return first
    if len(given) == 1 and first.type.is_matrix:
        parts = [
            [
                _component(first, c * first.type.size + r).text
                if c < first.type.columns and r < first.type.size
                else float_text(float(c == r))
                for r in range(kind.size)
            ]
            for c in range(kind.columns)
        ]
        texts = [part for column in parts for part in column]
    elif len(given) == 1 and first.type.is_scalar:
        diagonal = cast(first, "float").text
        texts = [diagonal if c == r else "0.0f" for c in range(kind.columns) for r in range(kind.size)]
    else:
        texts = [
            cast(_component(value, index), "float").text
            for value in given
            for index in range(value.type.components)
        ]
        if len(texts) != kind.components:
            raise fault(
                line,
                sentence("the arguments of {kind}() do not fit it; count their components", kind=kind.glsl),
            )
    return Value(f"{kind.wgsl}({', '.join(texts)})", replace(kind), is_fixed=all(v.is_fixed for v in given))
