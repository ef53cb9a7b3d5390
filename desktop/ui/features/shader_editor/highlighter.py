"""Highlighting of WGSL and of the description at the top, in the theme's colors."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from desktop.ui.kit.widgets import Themed

_KEYWORDS: Final = re.compile(
    r"(alias|break|case|const|const_assert|continue|continuing|default|diagnostic|discard|else|enable|false|fn|for|if|"
    r"let|loop|override|requires|return|struct|switch|true|var|while)\Z"
)
_TYPES: Final = re.compile(
    r"(bool|[fiu]32|f16|vec[234][fiuh]?|mat[234]x[234][fh]?|array|atomic|ptr|sampler\w*|texture_\w+|function|private|"
    r"workgroup|storage|uniform|read|write|read_write)\Z"
)
_TOKEN: Final = re.compile(
    r"(?P<line>//.*)|(?P<open>/\*)|(?P<attribute>@\w+)"
    r"|(?P<number>\b(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[iufh]?\b)|(?P<word>\b[A-Za-z_]\w*)"
)
_ENDS: Final = re.compile(r"/\*|\*/")
_HEADER: Final = re.compile(
    r"(?P<comment>#.*)|(?P<table>\[\[?\w+\]?\]?)|(?P<text>\"(?:[^\"\\]|\\.)*\"?|'[^']*'?)|(?P<key>\b[a-z_]+(?=\s*=))"
    r"|(?P<number>[+-]?\b\d+\.?\d*\b)|(?P<keyword>\b(?:true|false)\b)"
)
# States of a line's end: in code, in the description, or so many comments deep.
_CODE: Final = 0
_DESCRIPTION: Final = 1
_COMMENT: Final = 2


class WgslHighlighter(QSyntaxHighlighter):
    """Colors a document; comments may be nested, as in WGSL."""

    def __init__(self, document: QTextDocument, themed: Themed) -> None:
        super().__init__(document)
        self._themed = themed
        self._formats: dict[str, QTextCharFormat] = {}
        themed.follow(self._dress)

    def _dress(self) -> None:
        theme = self._themed.theme
        colors = {
            "comment": (theme.muted, False),
            "keyword": (theme.accent, True),
            "type": (theme.accent, False),
            "number": (theme.warning, False),
            "text": (theme.warning, False),
            "attribute": (theme.muted, True),
            "key": (theme.accent, False),
            "table": (theme.text, True),
            "name": (theme.text, True),
        }
        for name, (color, is_bold) in colors.items():
            made = QTextCharFormat()
            made.setForeground(QColor(color))
            if is_bold:
                made.setFontWeight(QFont.Weight.Bold)
            self._formats[name] = made
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Color one line."""
        state = max(_CODE, self.previousBlockState())
        at = 0
        if self.currentBlock().blockNumber() == 0 and text.startswith("/* lightloom"):
            state, at = _DESCRIPTION, len("/* lightloom")
            self.setFormat(0, at, self._formats["comment"])
        while at < len(text):
            if state == _DESCRIPTION:
                at, state = self._color_description(text, at)
            elif state >= _COMMENT:
                at, state = self._color_comment(text, at, state)
            else:
                at, state = self._color_code(text, at)
        self.setCurrentBlockState(state)

    def _color_description(self, text: str, at: int) -> tuple[int, int]:
        end = text.find("*/", at)
        stop = len(text) if end < 0 else end
        for match in _HEADER.finditer(text, at, stop):
            self.setFormat(
                match.start(), match.end() - match.start(), self._formats[match.lastgroup or "text"]
            )
        if end < 0:
            return len(text), _DESCRIPTION
        self.setFormat(end, 2, self._formats["comment"])
        return end + 2, _CODE

    def _color_comment(self, text: str, at: int, state: int) -> tuple[int, int]:
        match = _ENDS.search(text, at)
        stop = len(text) if match is None else match.end()
        self.setFormat(at, stop - at, self._formats["comment"])
        if match is None:
            return stop, state
        deeper = state + (1 if match.group() == "/*" else -1)
        return stop, deeper if deeper >= _COMMENT else _CODE

    def _color_code(self, text: str, at: int) -> tuple[int, int]:
        before = ""
        for match in _TOKEN.finditer(text, at):
            kind, word = match.lastgroup, match.group()
            if kind == "open":
                self.setFormat(match.start(), 2, self._formats["comment"])
                return match.end(), _COMMENT
            if kind == "line":
                kind = "comment"
            elif kind == "word":
                kind = self._kind_of(word, before)
                before = word
            if kind:
                self.setFormat(match.start(), match.end() - match.start(), self._formats[kind])
        return len(text), _CODE

    @staticmethod
    def _kind_of(word: str, before: str) -> str:
        if _KEYWORDS.match(word):
            return "keyword"
        if before in ("fn", "struct"):
            return "name"
        return "type" if _TYPES.match(word) else ""
