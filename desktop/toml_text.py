"""TOML that a stranger may have written, parsed with bounds on what it may cost.

tomllib makes a table for each part of a dotted key and keeps notes on each prefix of it: 100 KB of `a.a.a...` took 9 GB, and a megabyte of
`[a.b.c]` lines half of one. So the text is looked through first, in passes that make nothing: how deep its brackets are nested, how many
parts a key has, and how many tables, arrays and dots there are. Another reader was not taken: none says that it bounds this.

Python's whole numbers have no end, and one of 400 digits is an OverflowError wherever a float is expected. TOML 1.0 asks for 64 bits, which
tomllib leaves to its caller. What is beyond them becomes infinite, as in a literal `inf`, which every check of a number knows. Refusing the
document, as the specification would have it, would lose a whole preset for one absurd value.
"""

from __future__ import annotations

import math
import re
import tomllib
from typing import Any, Final

_DEEPEST: Final = 32
_MOST_PARTS: Final = 16
_MOST_TABLES: Final = 20_000
_INTEGERS: Final = range(-(1 << 63), 1 << 63)

# What brackets and dots mean nothing in; an unclosed one reaches to the end. Possessive: no text makes it look twice at a character.
_OPAQUE: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+(?:"""|\Z)'
    r"|'''(?:[^']|'{1,2}(?!'))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_PART: Final = r"(?:[A-Za-z0-9_+-]|\x00)++[ \t]*+"
_LONG_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_+\x00-]){_PART}(?:\.[ \t]*+{_PART}){{{_MOST_PARTS}}}")
_BRACKET: Final = re.compile(r"[\[\]{}]")


def parse_toml(document: bytes | str) -> dict[str, Any]:
    """Return what a document says; bytes are UTF-8, with or without a byte-order mark. Whole numbers beyond 64 bits are infinite.

    Raises:
        ValueError: not UTF-8, not TOML, nested too deeply, or made of more tables than anybody writes; its text says which.
    """
    text = document.decode("utf-8-sig") if isinstance(document, bytes) else document
    _check(text)
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return {key: _bounded(value) for key, value in found.items()}


def _bounded(value: Any) -> Any:
    # The brackets were counted: it is no deeper than `_DEEPEST`.
    if isinstance(value, dict):
        return {key: _bounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_bounded(inner) for inner in value]
    if isinstance(value, int) and value not in _INTEGERS:
        return math.inf if value > 0 else -math.inf
    return value


def _check(text: str) -> None:
    # A string may be a part of a key: something has to stand for it. Its ends of lines stay, for the numbers of lines.
    bare = _OPAQUE.sub(lambda found: "" if found[0][0] == "#" else "\x00" + "\n" * found[0].count("\n"), text)
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _DEEPEST:
            raise ValueError(f"it is nested too deeply (at {_line(bare, bracket)})")
    if found := _LONG_KEY.search(bare):
        raise ValueError(f"a key in it has more than {_MOST_PARTS} parts (at {_line(bare, found)})")
    if sum(map(bare.count, ".[{")) > _MOST_TABLES:
        raise ValueError(f"it has more than {_MOST_TABLES:,} tables and arrays")


def _line(text: str, found: re.Match[str]) -> str:
    """Say where something begins, as tomllib does."""
    return f"line {text.count(chr(10), 0, found.start()) + 1}"
