"""Every operator of the engine, discovered from the tables OPERATORS of this package's files.

Specifications: https://onnx.ai/onnx/operators/onnx__Conv.html, and so on by the operators' names.
"""

from __future__ import annotations

from typing import Final

from desktop.base.discovery import registered
from desktop.compute.nn.lowering.operator import Operator

OPERATORS: Final[dict[str, Operator]] = {
    operator.name: operator for table in registered(__name__, "OPERATORS") for operator in table
}

QLINEAR: Final = frozenset({"QLinearConv", "QLinearMatMul", "com.microsoft.QLinearAdd"})
"""Operators that a pass replaces before shapes are inferred (passes/qlinear.py), with non-ONNX domains."""

IMPORTABLE: Final = QLINEAR.union(name for name, operator in OPERATORS.items() if not operator.internal)
"""Operators that a file may contain: all except those that only passes create."""
