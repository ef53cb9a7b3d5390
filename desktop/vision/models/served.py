"""Description of a network that `lightloom serve` publishes, so that clients treat it like the file.

Metadata lack what the graph and sidecars show: probabilities or not, input range, coding of boxes. It is JSON
in one metadata parameter, with the fields of `Served`, and untrusted: all types are checked.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

from desktop.net.inference.wire import LONGEST_PARAMETER
from desktop.vision.models.facts import ModelFacts

PARAMETER: Final = "lightloom"
"""The metadata parameter with the description."""
_VERSION: Final = 1
_LONGEST_VALUE: Final = 1 << 16


@dataclass(frozen=True)
class Served:
    """Content of a network's file and its sidecar files; `processor` is from transformers' file.

    `facts` include a label file's names; `bounds` are (least, greatest) of outputs by their last operators.
    """

    facts: ModelFacts
    settings: dict[str, Any] = field(default_factory=dict)
    processor: dict[str, Any] = field(default_factory=dict)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)


def served_text(served: Served) -> str:
    """Return a description as JSON without metadata values over 64 KiB; '' if too long for clients."""
    short = {key: text for key, text in served.facts.metadata.items() if len(text) <= _LONGEST_VALUE}
    served = replace(served, facts=replace(served.facts, metadata=short))
    text = json.dumps({"version": _VERSION, **_plain(served)}, default=str, separators=(",", ":"))
    return text if len(text) <= LONGEST_PARAMETER else ""


def read_served(text: str) -> Served | None:
    """Return the description in a text; None for another version; raise ValueError if it is malformed."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or type(document.get("version")) is not int:
            raise ValueError("no description")
        return _typed(Served, document) if document["version"] == _VERSION else None
    except (TypeError, RecursionError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(str(error)) from error


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return [_plain(each) for each in sorted(value)]
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Fraction) else value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(kind: Any, value: Any) -> Any:
    """Return a JSON value as an annotation's type; raise ValueError or TypeError if it does not match."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin is types.UnionType:
        return None if value is None else _typed(next(a for a in arguments if a is not types.NoneType), value)
    if origin is tuple:
        return _typed_tuple(arguments, _of(list, value))
    if origin is frozenset:
        return frozenset(_typed(arguments[0], each) for each in _of(list, value))
    if origin in (dict, Mapping):
        return {key: _typed(arguments[1], each) for key, each in _of(dict, value).items()}
    if is_dataclass(kind):
        given, hints = _of(dict, value), _hints(kind)  # type: ignore[arg-type]
        return kind(**{name: _typed(hints[name], given[name]) for name in hints if name in given})  # type: ignore[operator]
    if kind is Fraction:
        return Fraction(_of(str, value)[:40])
    if kind is float:
        number = float(_of(int | float, value))
        if math.isnan(number):
            raise ValueError("not a number")
        return number
    return _of(kind, value)


def _typed_tuple(arguments: Sequence[Any], values: Collection[Any]) -> tuple[Any, ...]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_typed(arguments[0], each) for each in values)
    return tuple(_typed(kind, each) for kind, each in zip(arguments, values, strict=True))


def _of(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{type(value).__name__} for {kind}")
    return value
