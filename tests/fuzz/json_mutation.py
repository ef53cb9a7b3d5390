"""A mutator for JSON: it stays JSON, and its values become those that a careless program or a hostile one
writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    10**18,
    10**308,
    10**400,
    -(10**400),
    0.0,
    -0.0,
    0.5,
    1e-320,
    1e308,
    -1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    "\0",
    "\ud800",
    "../../etc/passwd",
    "a" * 3000,
    "1",
    [],
    {},
    [[]],
    {"a": 1},
    [0, 0, 0, 0],
    [1e308, 1e308, 1e308, 1e308],
)


def mutated_json(data: bytes, random: Random) -> bytes | None:
    """Return changed JSON (a document, or lines of them); None where it is none."""
    lines = data.splitlines()
    try:
        documents = [json.loads(line) for line in lines] if len(lines) > 1 else [json.loads(data)]
    except (ValueError, RecursionError):
        return None
    for _ in range(1 << random.randrange(4)):
        at = random.randrange(len(documents))
        documents[at] = _changed(documents[at], random)
    return b"\n".join(json.dumps(each).encode() for each in documents) + b"\n"


def _changed(document: Any, random: Random) -> Any:
    """Return a document with one of its parts, all being equally likely, another one, taken away or doubled."""
    places = list(_places(document))
    return _put(document, random.choice(places), random) if places else random.choice(_VALUES)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, part in _entries(value):
        yield (*path, key)
        yield from _places(part, (*path, key))


def _put(value: Any, path: tuple[Any, ...], random: Random) -> Any:
    key, *rest = path
    if rest:
        return _with(value, key, _put(value[key], tuple(rest), random))
    chance = random.random()
    if chance < 0.1:
        left = [(k, v) for k, v in _entries(value) if k != key]
        return dict(left) if isinstance(value, dict) else [v for _, v in left]
    if chance < 0.2 and isinstance(value, list):
        return [*value, *value[key:]]
    if chance < 0.4:
        return _with(value, key, random.choice([v for _, v in _entries(value)]))
    return _with(value, key, random.choice(_VALUES))


def _entries(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _with(value: Any, key: Any, part: Any) -> Any:
    copy = value.copy()
    copy[key] = part
    return copy
