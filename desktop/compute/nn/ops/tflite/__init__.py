"""TensorFlow Lite's operators, expanded to ONNX's and those of ops/integers.py before shape inference.

A file here has a table OPERATORS, by the names of TensorFlow Lite's schema. Images are channels last;
transposes stand around operators that need channels first, and `sink_transposes` removes them.

Schema: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs
Operators: https://www.tensorflow.org/mlir/tfl_ops
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from desktop.base.discovery import registered
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator
from desktop.compute.nn.ops.tflite.spelling import Spelling

DOMAIN: Final = "tflite"


def _operators() -> Iterator[Operator]:
    for table in registered(__name__, "OPERATORS"):
        for name, spell in table.items():
            yield Operator(f"{DOMAIN}.{name}", _unknown, expand=_expand(spell), internal=True)


def _expand(spell: Callable[[Spelling], None]) -> Callable[[Node, Mapping[str, Value], Constants], Expansion]:
    def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
        spelling = Spelling(node, values, constants)
        spell(spelling)
        return spelling.expansion()

    return expand


def _unknown(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Never asked: the operators that stand for it have shapes."""
    raise ValueError("it was not spelt out")


OPERATORS: Final = tuple(_operators())
NAMES: Final = frozenset(operator.name.removeprefix(f"{DOMAIN}.") for operator in OPERATORS)
"""Operators that a file may hold; one of its own by its code, with 'CUSTOM ' before it."""
