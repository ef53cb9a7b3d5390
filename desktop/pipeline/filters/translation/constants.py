"""Values of constant expressions: sizes of arrays, conditions of the preprocessor."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation import tree
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.glsl_tokens import Token
from desktop.pipeline.filters.translation.parser import Parser

_MOST: Final = 3.4e38

_BINARY: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "<": lambda a, b: float(a < b),
    ">": lambda a, b: float(a > b),
    "<=": lambda a, b: float(a <= b),
    ">=": lambda a, b: float(a >= b),
    "&&": lambda a, b: float(bool(a) and bool(b)),
    "||": lambda a, b: float(bool(a) or bool(b)),
}

_OF_ONE: Final[Mapping[str, Callable[[float], float]]] = {
    "float": float,
    **dict.fromkeys(("int", "uint"), lambda a: float(math.trunc(a))),
    "floor": lambda a: float(math.floor(a)),
    "ceil": lambda a: float(math.ceil(a)),
    "round": lambda a: math.floor(a + 0.5),
    "abs": abs,
}


def fold(node: tree.Expression, known: Callable[[str], float | None]) -> float | None:
    """Return the number that an expression is, with the constants that `known` returns; None if it is none.

    Integers are exact, since 32 bits fit into a float.
    """
    found = _fold(node, known)
    return found if found is not None and math.isfinite(found) and abs(found) < _MOST else None


def _fold(node: tree.Expression, known: Callable[[str], float | None]) -> float | None:
    match node:
        case tree.Number():
            return node.value
        case tree.Name():
            return known(node.name)
        case tree.Unary(op="-" | "+" | "!"):
            value = fold(node.operand, known)
            if value is None:
                return None
            return {"-": -value, "+": value, "!": float(not value)}[node.op]
        case tree.Binary():
            left, right = fold(node.left, known), fold(node.right, known)
            if left is None or right is None:
                return None
            if node.op == "/" and right != 0:
                whole = is_integer(node.left) and is_integer(node.right)
                return float(math.trunc(left / right)) if whole else left / right
            operation = _BINARY.get(node.op)
            return None if operation is None else operation(left, right)
        case tree.Call():
            values = [fold(argument, known) for argument in node.arguments]
            return _called(node.name, [value for value in values if value is not None], len(values))
        case _:
            return None


def _called(name: str, values: list[float], count: int) -> float | None:
    if len(values) != count:
        return None
    match name, values:
        case (("float" | "int" | "uint" | "floor" | "ceil" | "round" | "abs"), [value]):
            return _OF_ONE[name](value)
        case "min", [first, second]:
            return min(first, second)
        case "max", [first, second]:
            return max(first, second)
        case _:
            return None


def is_integer(node: tree.Expression) -> bool:
    """Return whether a folded expression is an integer; a constant by name counts as none."""
    match node:
        case tree.Number():
            return node.type != "float"
        case tree.Unary():
            return is_integer(node.operand)
        case tree.Binary():
            return is_integer(node.left) and is_integer(node.right)
        case tree.Call():
            return node.name in ("int", "uint")
        case _:
            return False


def evaluate(words: list[Token]) -> float:
    """Return the value of an `#if`; raise FilterError if it has none."""
    value = fold(Parser(words).constant(), lambda _: None)
    if value is None:
        raise fault(words[0].line, sentence("the condition of '#if' is not a constant; simplify it"))
    return value
