"""Undo and redo: a list of immutable setups and a place in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.pipeline.setup.setup import Setup

_LIMIT: Final = 200


@dataclass(frozen=True)
class Step:
    """A setup and its edit's name. Consecutive edits of the same `key` (a slider's drag) are one step."""

    setup: Setup
    label: str = ""
    key: object = None


class History:
    """The setups of a window, oldest first, and which of them is in use."""

    def __init__(self, setup: Setup) -> None:
        self._steps = [Step(setup)]
        self._at = 0
        self._open = False

    @property
    def setup(self) -> Setup:
        """The setup in use."""
        return self._steps[self._at].setup

    @property
    def undo_label(self) -> str:
        """Name of the edit that `undo` reverts, or ''."""
        return self._steps[self._at].label if self._at else ""

    @property
    def redo_label(self) -> str:
        """Name of the edit that `redo` repeats, or ''."""
        return self._steps[self._at + 1].label if self._at + 1 < len(self._steps) else ""

    def push(self, setup: Setup, label: str, key: object = None) -> None:
        """Add an edit; undone edits are discarded."""
        del self._steps[self._at + 1 :]
        if self._at and key is not None and self._open and self._steps[-1].key == key:
            self._steps[-1] = Step(setup, label, key)
            return
        self._steps.append(Step(setup, label, key))
        del self._steps[: -_LIMIT - 1]
        self._at = len(self._steps) - 1
        self._open = True

    def take_back(self) -> Setup | None:
        """Discard the last edit, which failed; return the setup in use again, None without an edit."""
        if not self._at:
            return None
        del self._steps[self._at :]
        self._at -= 1
        self._open = False
        return self.setup

    @property
    def before(self) -> Setup | None:
        """The setup before the last edit; None without an edit."""
        return self._steps[self._at - 1].setup if self._at else None

    def seal(self) -> None:
        """End a drag: the next edit is a step of its own even if its key is the same."""
        self._open = False

    def undo(self) -> bool:
        """Go one step back; False if there is none."""
        self.seal()
        if not self._at:
            return False
        self._at -= 1
        return True

    def redo(self) -> bool:
        """Go one step forward; False if there is none."""
        self.seal()
        if self._at + 1 >= len(self._steps):
            return False
        self._at += 1
        return True
