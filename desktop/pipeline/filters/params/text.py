"""A text in words."""

from __future__ import annotations

from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import Param

LONGEST: Final = 1000
"""Characters. CLIP's 75 tokens are some 300 to 400 of English; collected negative prompts are longer."""


class TextParam(Param):
    """A line of text, such as a prompt; not in WGSL. A running network is notified (`NetworkUse.live`)."""

    type = "text"
    editor = "text"
    longest = LONGEST

    @property
    def expects(self) -> Text:
        return sentence("a text of at most {most} characters in one line", most=LONGEST)

    def convert(self, value: Any) -> str:
        """Convert text, line separators to spaces; raise TypeError, or ValueError if invalid or too long."""
        if not isinstance(value, str):
            raise TypeError
        if len(value) > LONGEST:
            raise ValueError
        line = " ".join(value.splitlines()).replace("\t", " ")
        # Joiners of scripts and emoji are invisible but belong to words; controls and lone surrogates do not.
        if any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) <= 0xDFFF for c in line):
            raise ValueError
        return line

    @property
    def fallback(self) -> str:
        """Nothing."""
        return ""


TYPE: Final = TextParam
