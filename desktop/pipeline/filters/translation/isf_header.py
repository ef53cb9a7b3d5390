"""Reads the JSON at the top of an ISF file (version 2 of the format, https://docs.isf.video)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeGuard

from desktop.base.errors import FilterError
from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.translation.constants import fold
from desktop.pipeline.filters.translation.filter_text import plain_text
from desktop.pipeline.filters.translation.glsl_tokens import Line, tokens_of
from desktop.pipeline.filters.translation.parser import Parser

_MAX_HEADER: Final = 256 << 10
_MAX_INPUTS: Final = 64
_MAX_PASSES: Final = 32
_MAX_VALUES: Final = 256
_MAX_EXPRESSION: Final = 1000
_NAME: Final = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)
_KINDS: Final = ("float", "bool", "long", "color", "point2D", "image", "event", "audio", "audioFFT")
_SIZES: Final = ((1920, 1080), (640, 360), (1000, 1000), (300, 400), (4000, 2000))

Json = Mapping[str, object]


@dataclass(frozen=True)
class Input:
    """An input; `default`, `low` and `high` have as many numbers as its kind, or none if not given."""

    name: str
    kind: str
    label: str
    default: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """A pass: its `target` ('' for the result), whose `size` is fixed, or `scale` times the frame's."""

    target: str = ""
    persistent: bool = False
    is_float: bool = False
    size: tuple[int, int] | None = None
    scale: float = 1.0


@dataclass(frozen=True)
class Header:
    """Declarations of an ISF file; `imported`: names and paths of image files."""

    description: str
    credit: str
    categories: tuple[str, ...]
    inputs: tuple[Input, ...]
    steps: tuple[Step, ...]
    imported: Mapping[str, str]


def split_header(text: str) -> tuple[str, str] | None:
    """Return the JSON of a file and the rest with the same lines; None if it begins with no comment of JSON."""
    begin = re.match(r"\s*/\*\s*(?=\{)", text)
    if begin is None:
        return None
    end = text.find("*/", begin.end())
    if end < 0:
        return None
    return text[begin.end() : end], "\n" * text.count("\n", 0, end) + text[end + 2 :]


def read_header(text: str) -> Header:
    """Read a header; raise FilterError if it is invalid."""
    if len(text) > _MAX_HEADER:
        raise _wrong(sentence("it is longer than {limit} KiB", limit=_MAX_HEADER >> 10))
    try:
        data = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise _wrong(sentence("it is not valid JSON: {error}", error=str(error)[:100])) from error
    if not _is_table(data):
        raise _wrong(sentence("it is not a table"))
    inputs = tuple(_input(row) for row in _rows(data, "INPUTS", _MAX_INPUTS))
    names = [each.name for each in inputs]
    if len(set(names)) != len(names):
        raise _wrong(sentence("two inputs have the same name"))
    steps = tuple(_step(row) for row in _rows(data, "PASSES", _MAX_PASSES)) or (Step(),)
    categories = data.get("CATEGORIES")
    return Header(
        plain_text(data.get("DESCRIPTION", ""), 300),
        plain_text(data.get("CREDIT", ""), 100),
        tuple(plain_text(each, 40) for each in categories[:20]) if isinstance(categories, list) else (),
        inputs,
        steps,
        dict(_imported(data)),
    )


def _wrong(what: Text) -> FilterError:
    return FilterError(sentence("The ISF header is wrong: {what}; correct it.", what=what))


def _is_table(value: object) -> TypeGuard[Json]:
    return isinstance(value, dict)


def _rows(data: Json, key: str, most: int) -> list[Json]:
    rows = data.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _wrong(sentence("'{key}' is not a list of tables", key=key))
    if len(rows) > most:
        raise _wrong(sentence("'{key}' has more than {most} entries", key=key, most=most))
    return rows


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise _wrong(sentence("'{name}' is not a name", name=plain_text(value, 40)))
    return value


def _number(value: object) -> float | None:
    if isinstance(value, (int, float)) and abs(value) < 1e30:
        return float(value)
    return None


def _numbers(value: object, key: str) -> tuple[float, ...]:
    if value is None:
        return ()
    found = [_number(each) for each in (value if isinstance(value, list) else [value])[:4]]
    if any(each is None or not math.isfinite(each) for each in found):
        raise _wrong(sentence("'{key}' of an input is not a number", key=key))
    return tuple(each for each in found if each is not None)


def _input(row: Json) -> Input:
    name = _name(row.get("NAME"))
    kind = row.get("TYPE")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise _wrong(
            sentence("the input '{name}' has the unknown type '{kind}'", name=name, kind=plain_text(kind, 40))
        )
    labels, values = row.get("LABELS", []), row.get("VALUES", [])
    if not isinstance(labels, list) or not isinstance(values, list) or len(values) > _MAX_VALUES:
        raise _wrong(
            sentence(
                "the values of the input '{name}' are not a list of at most {most}",
                name=name,
                most=_MAX_VALUES,
            )
        )
    numbers = [_number(each) for each in values]
    if any(each is None or abs(each) >= 1 << 31 for each in numbers):
        raise _wrong(sentence("the values of the input '{name}' are not integers", name=name))
    return Input(
        name,
        kind,
        plain_text(row.get("LABEL") or "", 60),
        _numbers(row.get("DEFAULT"), "DEFAULT"),
        _numbers(row.get("MIN"), "MIN"),
        _numbers(row.get("MAX"), "MAX"),
        tuple(plain_text(each, 60) for each in labels[: len(values)]),
        tuple(int(each) for each in numbers if each is not None),
    )


def _imported(data: Json) -> Iterator[tuple[str, str]]:
    """Yield the names and paths of images; version 1 of the format has a list, version 2 a table."""
    found = data.get("IMPORTED", {})
    rows = (
        [{"NAME": name, **row} for name, row in found.items() if isinstance(row, dict)]
        if _is_table(found)
        else found
    )
    if not isinstance(rows, list) or len(rows) > _MAX_INPUTS:
        raise _wrong(sentence("'{key}' is not a list of tables", key="IMPORTED"))
    for row in rows:
        if not _is_table(row) or not isinstance(path := row.get("PATH"), str):
            raise _wrong(sentence("'{key}' is not a list of tables", key="IMPORTED"))
        yield _name(row.get("NAME")), path


# -- passes --------------------------------------------------------------------------------------------------


def _step(row: Json) -> Step:
    target = row.get("TARGET") or ""
    if not target:
        return Step()
    name = _name(target)
    width, height = (_extent(row.get(key), key, name) for key in ("WIDTH", "HEIGHT"))
    step = Step(name, _is_set(row.get("PERSISTENT")), _is_set(row.get("FLOAT")))
    fixed = set(zip(width, height, strict=True))
    if len(fixed) == 1:
        (own,) = fixed
        if not all(1 <= each <= 4096 for each in own):
            raise _wrong(sentence("the size of the buffer '{name}' is not from 1 to 4096", name=name))
        return Step(name, step.persistent, step.is_float, (int(own[0]), int(own[1])))
    scale = width[-1] / _SIZES[-1][0]
    near = all(
        abs(x - size[0] * scale) <= 1.5 and abs(y - size[1] * scale) <= 1.5
        for x, y, size in zip(width, height, _SIZES, strict=True)
    )
    if not near or not 0 < scale <= 2:
        raise FilterError(
            sentence(
                "The buffer '{name}' is neither of fixed size nor a scaled frame, as a filter's are; change its "
                "WIDTH and HEIGHT.",
                name=name,
            )
        )
    return Step(name, step.persistent, step.is_float, None, scale)


def _is_set(value: object) -> bool:
    return value in (True, 1, "true", "1", "YES")


def _extent(value: object, key: str, name: str) -> tuple[float, ...]:
    """Return a width or height for each of the sizes `_SIZES` of the frame."""
    text = "" if value is None else str(value)
    if not text:
        return tuple(float(size[key == "HEIGHT"]) for size in _SIZES)
    if len(text) > _MAX_EXPRESSION:
        raise _wrong(
            sentence(
                "'{key}' of the buffer '{name}' is longer than {limit} characters",
                key=key,
                name=name,
                limit=_MAX_EXPRESSION,
            )
        )
    plain = text.replace("$WIDTH", "frame_width").replace("$HEIGHT", "frame_height")
    if "$" in plain:
        raise FilterError(
            sentence(
                "The size of the buffer '{name}' depends on an input, and a filter's does not; change its WIDTH and "
                "HEIGHT.",
                name=name,
            )
        )
    found: list[float] = []
    words = tokens_of(Line(1, plain))
    if not words:
        raise _wrong(sentence("'{key}' of the buffer '{name}' is not a number", key=key, name=name))
    node = Parser(words).constant()
    for size in _SIZES:
        known = {"frame_width": float(size[0]), "frame_height": float(size[1])}
        number = fold(node, known.get)
        if number is None:
            raise _wrong(sentence("'{key}' of the buffer '{name}' is not a number", key=key, name=name))
        found.append(number)
    return tuple(found)
