"""What onnxruntime says when it fails, and what it means by that: the one place that reads its words.

Its exceptions have types for some failures; that an operator is missing is only said in the text of `InvalidGraph` or `Fail`. The texts
are those of onnxruntime 1.31; tests/cpu/test_tasks_onnxruntime.py sets off each of them with the installed one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

_LONGEST: Final = 120
"""Characters of its words that are shown behind a sentence."""
_UNSUPPORTED: Final = (
    "is not a registered function/op",
    "No Op registered",
    "Could not find an implementation",
    "opset",
    "NotImplemented",
)


class FailureKind(Enum):
    """What was wrong."""

    NOT_ONNX = auto()
    UNSUPPORTED = auto()
    OTHER = auto()


@dataclass(frozen=True)
class Failure:
    """An exception of onnxruntime's: what was wrong, and the part of its text that is good for a user."""

    kind: FailureKind
    reason: str


def failure_of(error: Exception) -> Failure:
    """Return what an exception of onnxruntime's means."""
    return Failure(_kind(error), _reason(str(error).strip() or type(error).__name__))


def _kind(error: Exception) -> FailureKind:
    from onnxruntime.capi import onnxruntime_pybind11_state as types

    if isinstance(error, types.InvalidProtobuf):
        return FailureKind.NOT_ONNX
    if isinstance(error, types.NotImplemented) or any(mark in str(error) for mark in _UNSUPPORTED):
        return FailureKind.UNSUPPORTED
    return FailureKind.OTHER


def _reason(text: str) -> str:
    first = text.splitlines()[0]
    # "[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. ..."
    first = first.rsplit(" : ", 1)[-1].rpartition(" failed:")[2].strip()
    # A node's whole signature stands before what is wrong with it: "... (...) -> (...) , Error No Op registered for Debug ..."
    first = first.rsplit(", Error ", 1)[-1].strip().rstrip(".")
    return first if len(first) <= _LONGEST else first[:_LONGEST].rstrip() + "..."
