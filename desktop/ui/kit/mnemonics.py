"""Assign mnemonics: the letters that select menu entries with Alt, unique within a menu.

A text requests a letter by an "&" before it. The first request for a letter wins, others get another letter
of theirs: no letters assigned by hand, which entries in three languages would break.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_MARK: Final = re.compile(r"(&&)|&(?=[^&\s])")
# Chinese has the letter in brackets behind the text, before its dots.
_BRACKETS: Final = re.compile(r"\(&[^&\s]\)")
_WORD: Final = re.compile(r"\w")
_WIDE: Final = "\u2e80"
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789"


def mnemonic(text: str) -> str:
    """Return the letter that a text wishes for, in small; '' for none."""
    for found in _MARK.finditer(text):
        if found[1] is None:
            return text[found.end()].casefold()
    return ""


def unmarked(text: str) -> str:
    """Return a text without its wish."""
    return _MARK.sub(lambda found: found[1] or "", _BRACKETS.sub("", text))


def distinct(texts: Sequence[str]) -> list[str]:
    """Return the texts of a menu with different letters; one for which none is left has none."""
    taken: set[str] = set()
    keeps = []
    for text in texts:
        letter = mnemonic(text)
        keeps.append(bool(letter) and letter not in taken)
        taken.add(letter)
    found = []
    for text, kept in zip(texts, keeps, strict=True):
        marked = text if kept else _marked(unmarked(text), taken)
        taken.add(mnemonic(marked))
        found.append(marked)
    return found


def _marked(text: str, taken: set[str]) -> str:
    if any(letter >= _WIDE for letter in text):
        letter = next((each for each in _LETTERS if each.casefold() not in taken), "")
        stem = text.removesuffix("...")
        return f"{stem}(&{letter}){text[len(stem) :]}" if letter else text
    for index in _places(text):
        if text[index].casefold() not in taken:
            return f"{text[:index]}&{text[index:]}"
    return text


def _places(text: str) -> Iterator[int]:
    """Yield positions of letters that can be marked, beginnings of words first."""
    letters = [found.start() for found in _WORD.finditer(text)]
    begins = [index for index in letters if index == 0 or not text[index - 1].isalnum()]
    yield from begins
    yield from (index for index in letters if index not in begins)
