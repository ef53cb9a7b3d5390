"""Classify onnxruntime's errors by their messages, as only some failures have an exception type.

The messages are those of onnxruntime 1.31; tests/cpu/test_tasks_onnxruntime.py checks the installed version.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

_LONGEST: Final = 120
"""Most characters of its message that are appended to a sentence."""
# "/onnxruntime_src/onnxruntime/core/graph/graph.cc:1617 void onnxruntime::Graph::Load() ...",
# "tensorprotoutils.cc:1730 Validate ..." and on Windows, without parentheses,
# "D:\\a\\onnxruntime\\core\\graph\\graph.cc:1617 onnxruntime::Graph::Load ...".
_LOCATION: Final = re.compile(
    r"\S+\.(?:cc|cpp|cu|h|hpp):\d+ "
    r"(?:[^()']*::[^()\s]*\([^()]*\)(?: const)?(?: \[with [^\]]*\])? |[\w:~<>]+ (?:\(\) )?)"
)
_NODE: Final = re.compile(r"^Node \(([^()]*)\) Op \((\w+)\) \[\w+\] ")
_UNSUPPORTED: Final = (
    "is not a registered function/op",
    "No Op registered",
    "Could not find an implementation",
    "opset",
    "NotImplemented",
)
_NO_MEMORY: Final = ("bad_alloc", "bad allocation", "Failed to allocate memory")


class FailureKind(Enum):
    """Kind of failure."""

    NOT_ONNX = auto()
    NO_MEMORY = auto()
    UNSUPPORTED = auto()
    OTHER = auto()


@dataclass(frozen=True)
class Failure:
    """An exception of onnxruntime: its kind, and the part of its message that helps a user."""

    kind: FailureKind
    reason: str


def failure_of(error: Exception) -> Failure:
    """Classify an exception of onnxruntime."""
    return Failure(_kind(error), _reason(str(error).strip() or type(error).__name__))


def _kind(error: Exception) -> FailureKind:
    from onnxruntime.capi import onnxruntime_pybind11_state as types

    if isinstance(error, MemoryError) or any(mark in str(error) for mark in _NO_MEMORY):
        return FailureKind.NO_MEMORY
    if isinstance(error, types.InvalidProtobuf):
        return FailureKind.NOT_ONNX
    if isinstance(error, types.NotImplemented) or any(mark in str(error) for mark in _UNSUPPORTED):
        return FailureKind.UNSUPPORTED
    return FailureKind.OTHER


def _reason(text: str) -> str:
    first = text.splitlines()[0]
    # "[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. ..."
    first = first.rsplit(" : ", 1)[-1].rpartition(" failed:")[2].strip()
    # The node's signature precedes the error: "... (...) -> (...) , Error No Op registered for Debug ..."
    first = first.rsplit(", Error ", 1)[-1].strip().rstrip(".")
    first = _LOCATION.sub("", first).removeprefix("Exception during initialization: ")
    first = _NODE.sub(lambda node: f"{node[2]} '{node[1]}': " if node[1] else f"{node[2]}: ", first)
    return first if len(first) <= _LONGEST else first[:_LONGEST].rstrip() + "..."
