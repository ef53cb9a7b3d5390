"""Carries out cross-fades between looks: many edits, which are one step of undo."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer

from desktop.pipeline.setup.fading import Fade, fade_between
from desktop.pipeline.setup.setup import Setup
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.history import AppliedLook

MOST_FADE_S: Final = 60.0
_STEP_MS: Final = 40


class Fader(QObject):
    """Applies looks, immediately or over a time; another edit ends a fade where it is."""

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
    def is_fading(self) -> bool:
        """True while a fade is under way."""
        return self._fade is not None

    def apply(self, setup: Setup, label: str, look: AppliedLook, seconds: float = 0.0) -> None:
        """Apply a look's setup within `seconds`; at once for 0, and where a fade is not possible.

        The network and all else but the chain changes at once.
        """
        self._end()
        before = self._edits.setup
        is_plain = before.anonymize == setup.anonymize
        fade = fade_between(before.chain, setup.chain) if seconds > 0.0 and is_plain else None
        if fade is None:
            self._edits.edit(setup, label, look=look)
            return
        self._number += 1
        self._fade, self._label, self._seconds = fade, label, min(seconds, MOST_FADE_S)
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
