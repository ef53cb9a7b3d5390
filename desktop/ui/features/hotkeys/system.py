"""Interface of a system that has global shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from desktop.base.discovery import registered
from desktop.ui.features.hotkeys.chord import Chord

Pressed = Callable[[Chord], None]
Lost = Callable[[str], None]


class OpenSystem(Protocol):
    """A connection to the system, which reports presses on a thread of its own."""

    def grab(self, chord: Chord) -> None:
        """Reserve a key for this program. Raises HotkeyError, also if another program has it."""

    def release(self, chord: Chord) -> None:
        """Give a key back."""

    def close(self) -> None:
        """Give all keys back. Twice is allowed."""


@dataclass(frozen=True)
class HotkeySystem:
    """A system: one file in hotkeys/systems, which defines it as SYSTEM.

    Attributes:
        order: the first one that applies is used.
        applies: returns whether this is the session's system, given Qt's name of the platform ('xcb').
        open: (pressed, lost) -> a connection; raises HotkeyError. Both are called on its thread: `lost` once,
            when its keys stop working, with the reason, or with '' if it must be opened again.
    """

    order: int
    applies: Callable[[str], bool]
    open: Callable[[Pressed, Lost], OpenSystem]


def find_system(platform: str) -> HotkeySystem | None:
    """Return the system of this session; None for one without global shortcuts."""
    found = registered("desktop.ui.features.hotkeys.systems", "SYSTEM")
    return next((each for each in sorted(found, key=lambda one: one.order) if each.applies(platform)), None)
