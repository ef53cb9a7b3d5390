"""TOML that a stranger may have written, parsed with bounds on what it may cost.

tomllib makes a table for each part of a dotted key and keeps notes on each prefix of it: 100 KB of `a.a.a...` took 9 GB, and a megabyte of
`[a.b.c]` lines half of one. So the text is looked through first, in passes that make nothing: how deep its brackets are nested, how many
parts a key has, and how many tables, arrays and dots there are. Another reader was not taken: none says that it bounds this.

Python's whole numbers have no end, and one of 400 digits is an OverflowError wherever a float is expected. TOML 1.0 asks for 64 bits and
for an error beyond them, which tomllib leaves to its caller.
"""

from __future__ import annotations

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
    """Return what a document says; bytes are UTF-8, with or without a byte-order mark.

    Raises:
        ValueError: not UTF-8, not TOML, nested too deeply, made of more tables than anybody writes, or with a whole number of more than
            64 bits; its text says which.
    """
    text = document.decode("utf-8-sig") if isinstance(document, bytes) else document
    _check(text)
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _check_integers(found)
    return found


def _check_integers(value: object) -> None:
    # The brackets were counted: it is no deeper than `_DEEPEST`.
    if isinstance(value, int) and value not in _INTEGERS:
        raise ValueError("a whole number in it has more than 64 bits")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_integers(inner)


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
