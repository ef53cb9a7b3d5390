"""Warnings about parts of an untrusted file that were left out, limited to a readable number."""

from __future__ import annotations

from typing import Final

from desktop.base.printable import printable
from desktop.base.wording import Text, plural, sentence

# A megabyte holds 100,000 unknown keys, each of which would be a sentence over the frame.
_MOST: Final = 24


# A name that stands in a sentence.
_LONGEST: Final = 200


def _plain(text: str) -> str:
    return printable(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")


class Warnings:
    """Sentences about one file; those after the first `_MOST` are counted."""

    def __init__(self, name: str) -> None:
        """Make an empty list; `name` is the file's."""
        self._name = name
        self._reported: list[Text] = []
        self._more = 0

    @property
    def is_full(self) -> bool:
        """True if further warnings are only counted."""
        return len(self._reported) >= _MOST

    def add(self, text: str) -> None:
        """Add a warning."""
        if self.is_full:
            self._more += 1
            return
        plain = text.mapped(_plain) if isinstance(text, Text) else _plain(text)
        self._reported.append(sentence("{name}: {text}", name=self._name, text=plain))

    def all(self) -> tuple[Text, ...]:
        """Return the sentences, and one that counts the others."""
        if not self._more:
            return tuple(self._reported)
        others = plural(
            self._more, "%n other setting in it was left out.", "%n other settings in it were left out."
        )
        return (*self._reported, sentence("{name}: {text}", name=self._name, text=others))
