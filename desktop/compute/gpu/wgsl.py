"""Tokenize WGSL, to check untrusted shaders before they are compiled, in linear time and without recursion.

Grammar: https://www.w3.org/TR/WGSL, sections 3.3 to 3.9.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Kind = Literal["name", "number", "op"]

# A line comment ends at any of these (section 3.2); block comments nest (3.3).
_SPACE: Final = re.compile(r"(?:\s|\u200e|\u200f|//[^\n\v\f\r\x85\u2028\u2029]*)+")
_BLOCK_EDGE: Final = re.compile(r"/\*|\*/")
# '>' is always one token, so that 'array<array<f32, 2>>' ends two lists; '<<', '<=' begin none.
_TOKEN: Final = re.compile(
    r"(?P<name>[^\W\d]\w*)"
    r"|(?P<number>0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][+-]?[0-9]+)?[iufh]?"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[iufh]?)"
    r"|(?P<op>&&|\|\||->|[=!<]=|<<|[\s\S])"
)


class Token(NamedTuple):
    """A name, a number, or a symbol; `at` is its offset in the text."""

    kind: Kind
    text: str
    at: int


def _behind_block(text: str, start: int) -> int:
    """Return the offset after the block comment whose '/*' ends at `start`; the text's end if unclosed."""
    depth = 1
    for edge in _BLOCK_EDGE.finditer(text, start):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)


def tokens(text: str) -> list[Token]:
    """Return the tokens of `text`, comments and white space left out."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif text.startswith("/*", at):
            at = _behind_block(text, at + 2)
        else:
            match = _TOKEN.match(text, at)
            assert match is not None  # the last alternative matches any character
            found.append(Token(match.lastgroup, match.group(), at))  # type: ignore[arg-type]
            at = match.end()
    return found


def template_ends(found: list[Token]) -> dict[int, int]:
    """Map the '<' that begin template lists (section 3.9) to their closing '>', by index."""
    ends: dict[int, int] = {}
    pending: list[tuple[int, int]] = []
    depth = 0
    for index, token in enumerate(found):
        sign = token.text if token.kind == "op" else ""
        if sign == "<" and index and found[index - 1].kind == "name":
            pending.append((index, depth))
        elif sign == ">" and pending and pending[-1][1] == depth:
            ends[pending.pop()[0]] = index
        elif sign in ("(", "["):
            depth += 1
        elif sign in (")", "]", "&&", "||"):
            while pending and pending[-1][1] >= depth:
                pending.pop()
            if sign in (")", "]"):
                depth = max(0, depth - 1)
        elif sign in (";", "{", ":", "="):
            depth = 0
            pending.clear()
    return ends


@dataclass(frozen=True)
class ShaderText:
    """A shader's text with its tokens (see `tokens`) and the ends of its templates (`template_ends`)."""

    text: str
    tokens: list[Token]
    templates: dict[int, int]

    @classmethod
    def read(cls, text: str) -> ShaderText:
        """Split a text into tokens."""
        found = tokens(text)
        return cls(text, found, template_ends(found))

    def lines(self) -> list[int]:
        """Return the offsets at which the text's lines begin."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, index: int) -> int:
        """Return the line, counted from 1, of a token; of the last token if there is none with that index."""
        if not self.tokens:
            return 1
        return bisect_right(self.lines(), self.tokens[min(index, len(self.tokens) - 1)].at)
