"""Waiting in windows as long as all tests do (`waiting.py`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from waiting import LIMIT_S

WAIT_MS: Final = round(1000 * LIMIT_S)


def activate(qtbot: object, widget: QWidget) -> None:
    """Make a window the active one.

    It is asked for again and again: a dialog that closes late, or another process on the same display, takes
    the focus away for good.
    """
    asked = 0.0

    def is_active() -> bool:
        nonlocal asked
        if QApplication.activeWindow() is widget:
            return True
        if time.monotonic() - asked > 0.5:
            asked = time.monotonic()
            widget.raise_()
            widget.activateWindow()
        return False

    qtbot.waitUntil(is_active, timeout=WAIT_MS)


class PatientBot(QtBot):
    """Waits as long as all tests do, where pytest-qt gives up after 1 to 5 s."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = WAIT_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: object, *, timeout: int = WAIT_MS, **more: object) -> object:
        return super().waitSignal(signal, timeout=timeout, **more)
