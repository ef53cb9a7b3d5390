"""Parse untrusted TOML with bounded time and memory.

tomllib makes a table for each part of a dotted key: 100 KB of `a.a.a...` took 9 GB. So nesting, parts of
keys, tables, arrays and dots are counted first, without allocating. Integers over 64 bits, the limit of TOML
1.0, become infinite, as a literal `inf`: 400 digits would be an OverflowError as a float. Rejecting them, as
the specification demands, would lose a whole preset.
"""

from __future__ import annotations

import math
import re
import tomllib
from typing import Any, Final

from desktop.base.files import text_lines

_DEEPEST: Final = 32
_MOST_PARTS: Final = 16
_MOST_TABLES: Final = 20_000
_INTEGERS: Final = range(-(1 << 63), 1 << 63)

# Where brackets and dots are literal: what opens it, and what ends it or is an escape within. Not one expression:
# Python before 3.11.5 matches possessive groups wrongly (gh-106052), and others keep memory for each letter.
_OPENING: Final = re.compile(r"\"\"\"|'''|[\"'#]")
_CLOSING: Final = {
    # Up to two quotation marks may stand before the three that end it.
    '"""': re.compile(r'\\.|"{3,5}', re.DOTALL),
    "'''": re.compile(r"'{3,5}"),
    '"': re.compile(r'\\.|"|(?=\n)', re.DOTALL),
    "'": re.compile(r"'|(?=\n)"),
    "#": re.compile(r"(?=\n)"),
}
_PART: Final = r"[A-Za-z0-9_+\x00-]++[ \t]*+"
_LONG_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_+\x00-]){_PART}(?:\.[ \t]*+{_PART}){{{_MOST_PARTS}}}")
# Python's parser has the place in its sentence alone.
_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)")
_OF_ESCAPES: Final = ("Unescaped '\\'", "Invalid hex value", "Escaped character is not")
_OF_UNCLOSED: Final = ("Illegal character '\\n'", "Unterminated string")
_BRACKET: Final = re.compile(r"[\[\]{}]")
_HEADER: Final = re.compile(r"[ \t]*(\[\[?)([^\[\]\n]+)\]\]?[ \t]*")
_KEY: Final = re.compile(r"[ \t]*([A-Za-z0-9_.-]+)[ \t]*=")

KeyPath = tuple[str | int, ...]
"""Path to a value in a document: a text is a key, a number the index of a table in an array of tables, from 0."""


def place_of(error: ValueError) -> tuple[int, int]:
    """Return the line and column of an error of `parse_toml`, from 1; the column is 0 where it is unknown."""
    at = _PLACE.search(str(error))
    return (int(at[1]), int(at[2])) if at is not None else (1, 0)


def parse_toml(document: bytes | str) -> dict[str, Any]:
    """Parse a document (bytes: UTF-8, optional byte-order mark); integers over 64 bits become infinite.

    Raise ValueError: not UTF-8, not TOML, too deeply nested, too many tables, or a number too long.
    """
    try:
        text = document.decode("utf-8-sig") if isinstance(document, bytes) else document
    except UnicodeDecodeError:  # Python's words about codecs and bytes
        raise ValueError("it is not UTF-8") from None
    _check(text)
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        if _is_of_escape(str(error), text):
            raise ValueError(
                f"{error}: \\ begins an escape in quotation marks, so write a path in single ones"
            ) from None
        raise
    except ValueError:  # Python's, with advice about its own settings
        raise ValueError("a number in it has thousands of digits") from None
    return {key: _bounded(value) for key, value in found.items()}


def _is_of_escape(error: str, text: str) -> bool:
    """Return whether tomllib's error is about a backslash in quotation marks, as in a path of Windows: one that
    begins no escape, or one before the last mark, which is then no end of the text.
    """
    if error.startswith(_OF_ESCAPES):
        return True
    at = _PLACE.search(error)
    lines = text_lines(text.rstrip())
    number = int(at[1]) if at is not None else len(lines)  # it may say "at end of document"
    return error.startswith(_OF_UNCLOSED) and any('\\"' in line for line in lines[number - 1 : number])


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, from 1, of each table, array of tables and key of a document that `parse_toml`
    takes; not of what is in inline tables."""
    bare = _bare(text)
    found: dict[KeyPath, int] = {}
    arrays: dict[KeyPath, int] = {}
    table: KeyPath = ()
    depth = 0
    for number, line in enumerate(bare.split("\n"), 1):
        if depth == 0 and (header := _HEADER.fullmatch(line.rstrip("\r"))) is not None:
            table = _table_path(header[2], arrays, is_array=header[1] == "[[")
            found.setdefault(table, number)
            if header[1] == "[[":
                found.setdefault(table[:-1], number)
            continue
        if depth == 0 and (key := _KEY.match(line)) is not None:
            found.setdefault((*table, *key[1].split(".")), number)
        depth += sum(1 if bracket[0] in "[{" else -1 for bracket in _BRACKET.finditer(line))
    return found


def _table_path(name: str, arrays: dict[KeyPath, int], *, is_array: bool) -> KeyPath:
    """Return the path of a header; `arrays` has the number of the last table of each array, and is updated."""
    path: KeyPath = ()
    parts = [part.strip() for part in name.split(".")]
    for index, part in enumerate(parts):
        path = (*path, part)
        if is_array and index == len(parts) - 1:
            arrays[path] = arrays.get(path, -1) + 1
        if path in arrays:
            path = (*path, arrays[path])
    return path


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
    bare = _bare(text)
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _DEEPEST:
            raise ValueError(f"it is nested too deeply (at {_line(bare, bracket)})")
    if found := _LONG_KEY.search(bare):
        raise ValueError(f"a key in it has more than {_MOST_PARTS} parts (at {_line(bare, found)})")
    if sum(map(bare.count, ".[{")) > _MOST_TABLES:
        raise ValueError(f"it has more than {_MOST_TABLES:,} tables and arrays")


def _bare(text: str) -> str:
    """Return a document without comments and strings. A string may be a part of a key, so a placeholder remains;
    its newlines stay, to preserve line numbers. An unclosed one reaches to the end.
    """
    kept, at = [], 0
    while (opening := _OPENING.search(text, at)) is not None:
        kept.append(text[at : opening.start()])
        at = _closing_position(text, opening)
        if opening[0] != "#":
            kept.append("\x00" + "\n" * text.count("\n", opening.start(), at))
    return "".join((*kept, text[at:]))


def _closing_position(text: str, opening: re.Match[str]) -> int:
    found = _CLOSING[opening[0]].finditer(text, opening.end())
    return next((each.end() for each in found if each[0][:1] != "\\"), len(text))


def _line(text: str, found: re.Match[str]) -> str:
    """Return a position as text, as tomllib formats it."""
    return f"line {text.count(chr(10), 0, found.start()) + 1}"
