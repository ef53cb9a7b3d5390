"""A key with its modifiers, as users write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

MODIFIERS: Final = ("Ctrl", "Alt", "Shift", "Super")
_WRITTEN: Final = {"control": "Ctrl", "meta": "Super", "win": "Super", "cmd": "Super", "option": "Alt"}
_NAMED: Final = ("Space", "Home", "End", "PgUp", "PgDown", "Insert", "Delete", "Left", "Right", "Up", "Down")
FUNCTION_KEYS: Final = tuple(f"F{number}" for number in range(1, 25))
_KEYS: Final = {
    key.lower(): key for key in (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *_NAMED, *FUNCTION_KEYS)
}
_MODIFIERS: Final = {**{each.lower(): each for each in MODIFIERS}, **_WRITTEN}


@dataclass(frozen=True)
class Chord:
    """A key of those that all systems have, and some of `MODIFIERS`."""

    key: str
    modifiers: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return "+".join((*(each for each in MODIFIERS if each in self.modifiers), self.key))


def read_chord(text: str) -> Chord:
    """Parse a text such as 'Ctrl+Alt+P' or 'F13'. Raises UsageError.

    Without Ctrl, Alt or Super only function keys are taken: others would be missing in every program.
    """
    *before, last = [part.strip().lower() for part in text.split("+")]
    key, modifiers = _KEYS.get(last), [_MODIFIERS.get(each) for each in before]
    found = frozenset(each for each in modifiers if each is not None)
    is_valid = key is not None and None not in modifiers and len(found) == len(modifiers)
    if key is None or not is_valid or not (key in FUNCTION_KEYS or found - {"Shift"}):
        raise UsageError(
            sentence(
                "'{text}' is no global shortcut; give one such as Ctrl+Alt+P, Super+Shift+F5 or F13.",
                text=text[:40],
            )
        )
    return Chord(key, found)
