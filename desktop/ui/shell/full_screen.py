"""Full screen with nothing but the frame, and the return from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

_RESIZED_MS: Final = 1000


class FullScreen(QObject):
    """Toggles a window's full screen."""

    changed = Signal()

    def __init__(self, window: QMainWindow, around: Callable[[], Iterable[QWidget]]) -> None:
        """Make it; `around` returns the widgets around the frame."""
        super().__init__(window)
        self._window, self._around = window, around
        self._before = QByteArray()
        self._coming_back = QTimer(self, singleShot=True, interval=_RESIZED_MS)

    def toggle(self) -> None:
        """Nothing but the frame, or the window again."""
        window = self._window
        full = not window.isFullScreen()
        if full and not self._coming_back.isActive():
            self._before = window.saveState()
        # Windows resizes within setWindowState, by which `restore_panels` would show them again.
        self._coming_back.stop()
        for widget in self._around():
            widget.setVisible(not full)
        # Not showNormal: a window that was maximized is to be so again.
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
        if not full:
            window.restoreState(self._before)
            self._coming_back.start()
        self.changed.emit()

    def restore_panels(self) -> bool:
        """Lay out the panels again if the window system has yet to restore the size; else return False."""
        if self._coming_back.isActive():
            self._window.restoreState(self._before)
            return True
        return False
