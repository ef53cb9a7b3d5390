"""Operators of GLSL between two values, as WGSL (GLSL 4.60, section 5.9)."""

from __future__ import annotations

from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.conversions import cast, splat
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.helpers import Helpers
from desktop.pipeline.filters.translation.types import BOOL, Type
from desktop.pipeline.filters.translation.values import PRIMARY, PRODUCT, SUM, UNARY, Value, float_text

_ARITHMETIC: Final = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT}
_ORDER: Final = ("<", ">", "<=", ">=")
_BITS: Final = ("&", "|", "^")


def binary(op: str, left: Value, right: Value, line: int, helpers: Helpers) -> Value:
    """Return two values with an operator between them; raise FilterError if it does not take them."""
    found = _binary(op, left, right, helpers)
    if found is None:
        raise _unfit(op, left, right, line)
    is_fixed = left.is_fixed and right.is_fixed
    return Value(found.text, found.type, found.strength, is_fixed)


def _unfit(op: str, left: Value, right: Value, line: int) -> FilterError:
    return fault(
        line,
        sentence(
            "'{op}' between {left} and {right} is not translated; convert one of them",
            op=op,
            left=left.type.glsl,
            right=right.type.glsl,
        ),
    )


def negated(value: Value) -> Value:
    """Return a number with the other sign."""
    if value.type.is_matrix:
        return Value(f"{value.within(PRODUCT)} * -1.0f", value.type, PRODUCT, value.is_fixed)
    # Two signs in a row are an operator of their own.
    text = value.text if value.strength >= UNARY and not value.text.startswith("-") else f"({value.text})"
    return Value(f"-{text}", value.type, UNARY, value.is_fixed)


def _binary(op: str, left: Value, right: Value, helpers: Helpers) -> Value | None:
    if op in ("==", "!="):
        return _equal(op, left, right)
    if op == "^^":
        both = left.type == right.type == BOOL
        return Value(f"({left.text} != {right.text})", BOOL) if both else None
    if left.type.is_matrix or right.type.is_matrix:
        return _matrix(op, left, right)
    pair = _shaped(left, right)
    if pair is None:
        return None
    left, right = pair
    kind = left.type if left.type.size >= right.type.size else right.type
    if op in _ORDER:
        return Value(f"({left.within(SUM)} {op} {right.within(SUM)})", BOOL) if kind.is_scalar else None
    if op in _BITS and kind.base != "float":
        left, right = splat(left, kind), splat(right, kind)
        return Value(f"({left.within(PRIMARY)} {op} {right.within(PRIMARY)})", kind)
    if op in ("<<", ">>") and kind.base != "float":
        left, shift = splat(left, kind), splat(cast(right, "uint"), kind.of("uint"))
        return Value(f"({left.within(UNARY)} {op} {shift.within(UNARY)})", kind)
    if op not in _ARITHMETIC:
        return None
    if op == "%":
        if kind.base == "float":
            return None
        left, right = splat(left, kind), splat(right, kind)
        return Value(f"{helpers.typed('glsl_remainder', kind)}({left.text}, {right.text})", kind)
    return _joined(op, left, right, kind)


def _joined(op: str, left: Value, right: Value, kind: Type) -> Value:
    strength = _ARITHMETIC[op]
    return Value(f"{left.within(strength)} {op} {right.within(strength + 1)}", kind, strength)


def _shaped(left: Value, right: Value) -> tuple[Value, Value] | None:
    """Return two values with numbers of one kind, of the same size or one a scalar."""
    if not left.type.is_number or not right.type.is_number or "bool" in (left.type.base, right.type.base):
        return None
    if left.type.size != right.type.size and 1 not in (left.type.size, right.type.size):
        return None
    bases = (left.type.base, right.type.base)
    base = next(base for base in ("float", "uint", "int") if base in bases)
    return cast(left, base), cast(right, base)


def _equal(op: str, left: Value, right: Value) -> Value | None:
    if left.type.is_matrix and left.type == right.type:
        joined = " && " if op == "==" else " || "
        parts = [
            f"{'all' if op == '==' else 'any'}({left.within(PRIMARY)}[{i}] {op} {right.within(PRIMARY)}[{i}])"
            for i in range(left.type.columns)
        ]
        return Value(f"({joined.join(parts)})", BOOL)
    pair = (left, right) if left.type == right.type and left.type.is_number else _shaped(left, right)
    if pair is None or pair[0].type != pair[1].type:
        return None
    text = f"{pair[0].within(SUM)} {op} {pair[1].within(SUM)}"
    if pair[0].type.is_scalar:
        return Value(f"({text})", BOOL)
    return Value(f"{'all' if op == '==' else 'any'}({text})", BOOL)


def _matrix(op: str, left: Value, right: Value) -> Value | None:
    first, second = left.type, right.type
    if first.is_number:
        left = cast(left, "float")
    if second.is_number:
        right = cast(right, "float")
    if op in ("+", "-") and first == second:
        return _joined(op, left, right, first)
    if op == "/" and second.is_scalar:
        return Value(f"{left.within(PRODUCT)} * (1.0f / {right.within(UNARY)})", first, PRODUCT)
    if op in ("+", "-") and second.is_scalar:
        # Each component; WGSL adds no number to a matrix.
        ones = f"{first.wgsl}({', '.join([float_text(1.0)] * first.components)})"
        return Value(f"{left.within(SUM)} {op} {ones} * {right.within(UNARY)}", first, SUM)
    if op != "*":
        return None
    if first.is_scalar or second.is_scalar:
        return _joined(op, left, right, second if first.is_scalar else first)
    if first.is_vector and first.size == second.size:
        return _joined(op, left, right, Type("float", second.columns))
    if second.is_vector and first.columns == second.size:
        return _joined(op, left, right, Type("float", first.size))
    if first.is_matrix and second.is_matrix and first.columns == second.size:
        return _joined(op, left, right, Type("float", first.size, second.columns))
    return None
