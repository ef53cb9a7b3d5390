"""Find the known word that a misspelt one probably stands for, and tell it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 80


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Return the known word that is nearest to one, '' if none is near; upper and lower case do not differ.

    `alike`: the least ratio of `difflib`, 1.0 for equal words.
    """
    folded = {each.casefold(): each for each in known}
    wanted = word[:_LONGEST].casefold()
    if wanted in folded:
        return folded[wanted]
    return next((folded[each] for each in difflib.get_close_matches(wanted, folded, 1, alike)), "")


def suggestion(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the end of an English sentence about an unknown word: the nearest known one, or else `otherwise`, by
    default all known ones.
    """
    names = sorted(known)
    if near := nearest(word, names):
        return f"did you mean '{near}'?"
    return otherwise or f"write one of {', '.join(names)}."
