"""Carries out cross-fades between looks, each of which is one step of undo."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer

from desktop.pipeline.setup.fading import LONGEST_FADE_S, Fade, fade_between
from desktop.pipeline.setup.setup import Setup
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.history import AppliedLook

_STEP_MS: Final = 40


class Fader(QObject):
    """Applies looks, immediately or over a time; another edit ends a fade.

    Between setups that differ in numbers of their effects alone, the numbers go from one to the other, by many
    edits. Other looks are applied at once, and the image shown before fades out over theirs.
    """

    def __init__(self, edits: Edits, parent: QObject) -> None:
        super().__init__(parent)
        self._edits = edits
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._go_on)
        self._fade: Fade | None = None
        self._setup, self._shown = Setup(), Setup()
        self._look: AppliedLook | None = None
        self._label = ""
        self._begun = self._seconds = 0.0
        self._number = 0

    @property
    def is_moving(self) -> bool:
        """True while numbers go from those of one look to those of the next."""
        return self._fade is not None

    def apply(self, setup: Setup, label: str, look: AppliedLook, seconds: float = 0.0) -> None:
        """Apply a look's setup within `seconds`; at once for 0, and where a fade would show what it hides."""
        self._end()
        seconds = min(seconds, LONGEST_FADE_S)
        before = self._edits.setup
        differs_in_chain_alone = replace(before, chain=setup.chain) == setup
        fade = fade_between(before.chain, setup.chain) if seconds > 0.0 and differs_in_chain_alone else None
        if fade is None:
            self._edits.edit(setup, label, look=look, fade=seconds)
            return
        self._number += 1
        self._fade, self._label, self._seconds = fade, label, seconds
        self._setup = replace(setup, chain=fade.after)
        self._look = replace(look, chain=fade.after)
        self._begun = time.monotonic()
        self._show(0.0)
        self._timer.start()

    def _go_on(self) -> None:
        if self._edits.setup is not self._shown:
            self._end()
            return
        share = min(1.0, (time.monotonic() - self._begun) / self._seconds)
        self._show(share)
        if share >= 1.0:
            self._end()
            self._edits.seal()

    def _show(self, share: float) -> None:
        assert self._fade is not None
        self._edits.edit(
            replace(self._setup, chain=self._fade.at(share)), self._label, ("fade", self._number), self._look
        )
        self._shown = self._edits.setup

    def _end(self) -> None:
        self._timer.stop()
        self._fade = None
