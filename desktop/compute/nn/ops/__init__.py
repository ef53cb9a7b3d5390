"""Every operator of the engine. A file here defines OPERATOR, or OPERATORS where several differ in a row of a table (unary.py, binary.py,
reductions.py) or in one expression of a kernel that is theirs alone; it is discovered automatically."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desktop.base.discovery import modules_of
from desktop.compute.nn.lowering.operator import Operator


def _operators() -> Iterator[Operator]:
    for module in modules_of(__name__):
        yield from module.OPERATORS if hasattr(module, "OPERATORS") else (module.OPERATOR,)


OPERATORS: Final[dict[str, Operator]] = {operator.name: operator for operator in _operators()}

QLINEAR: Final = frozenset({"QLinearConv", "QLinearMatMul", "com.microsoft.QLinearAdd"})
"""Operators that a pass spells out before shapes are inferred (passes/qlinear.py); of another domain, with its name."""

IMPORTABLE: Final = QLINEAR.union(name for name, operator in OPERATORS.items() if not operator.internal)
"""What a file may hold: all but what only passes make."""
