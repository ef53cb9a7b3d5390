"""Counts of the palette's commands that were used, stored in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_MOST_COMMANDS: Final = 64
_MOST_USES: Final = 99


def uses_of(stored: Sequence[str]) -> dict[str, int]:
    """Return the number of uses by command, the last used first; lines that are none are left out.

    A line is the number, a space and the command's key.
    """
    found: dict[str, int] = {}
    for line in stored[:_MOST_COMMANDS]:
        count, _, key = line.partition(" ")
        if key and count.isascii() and count.isdigit():
            found.setdefault(key, max(1, min(int(count[:4]), _MOST_USES)))
    return found


def with_use(stored: Sequence[str], key: str) -> list[str]:
    """Return the lines after one more use of a command; those not used for longest are dropped."""
    uses = uses_of(stored)
    count = min(uses.pop(key, 0) + 1, _MOST_USES)
    return [f"{n} {name}" for name, n in ((key, count), *uses.items())][:_MOST_COMMANDS]
