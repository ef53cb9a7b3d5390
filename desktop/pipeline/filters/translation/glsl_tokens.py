"""Splits GLSL text into tokens, in linear time and without recursion (GLSL 4.60, sections 3.1 to 3.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, cast

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.faults import fault

MAX_TOKENS: Final = 60_000
"""Tokens of a file, and of it with its macros expanded."""

_MAX_NAME: Final = 100

Kind = Literal["name", "float", "int", "op"]

_TOKEN: Final = re.compile(
    r"(?P<name>[A-Za-z_]\w*)"
    r"|(?P<float>(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?:lf|LF|[fF])?"
    r"|[0-9]+(?:[eE][+-]?[0-9]+(?:lf|LF|[fF])?|[fF]))"
    r"|(?P<int>0[xX][0-9a-fA-F]+[uU]?|[0-9]+[uU]?)"
    r"|(?P<op><<=|>>=|\+\+|--|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||\^\^|\#\#|[-+*/%&|^=!<>~?:;,.(){}\[\]])",
    re.ASCII,
)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


class Token(NamedTuple):
    """A name, a number or a symbol, with its line in the file, counted from 1."""

    kind: Kind
    text: str
    line: int


class Line(NamedTuple):
    """A logical line: one line of the file, or several that backslashes join."""

    number: int
    text: str


def logical_lines(text: str) -> Iterator[Line]:
    """Yield the lines without comments."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    # A comment is one space; its line breaks stay, so that lines keep their numbers.
    plain = _COMMENT.sub(lambda match: " " + "\n" * match.group().count("\n"), plain)
    joined, first = "", 1
    for number, line in enumerate(plain.split("\n"), 1):
        if not joined:
            first = number
        if line.endswith("\\"):
            joined += line[:-1] + " "
            continue
        yield Line(first, joined + line)
        joined = ""
    if joined:
        yield Line(first, joined)


def tokens_of(line: Line) -> list[Token]:
    """Return the tokens of a line; raise FilterError for a character that GLSL does not have."""
    found: list[Token] = []
    at = 0
    text = line.text
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise fault(
                line.number,
                sentence(
                    "the character {character} is not valid in GLSL; remove it", character=ascii(text[at])
                ),
            )
        kind, word = match.lastgroup, match.group()
        if kind == "name" and len(word) > _MAX_NAME:
            raise fault(
                line.number,
                sentence("a name has more than {limit} characters; shorten it", limit=_MAX_NAME),
            )
        found.append(Token(cast(Kind, kind), word, line.number))  # the pattern's groups are the kinds
        at = match.end()
    return found


def too_many_tokens() -> FilterError:
    """Return the error for a text that is too long, before or after its macros are expanded."""
    return FilterError(
        sentence(
            "It has more than {limit} tokens, macros expanded; shorten it.",
            limit=MAX_TOKENS,
        )
    )
