"""Documents that macOS hands to the running program: a double-click in Finder comes as an event, not as an argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent


class FileOpener(QObject):
    """Event filter of the application; for macOS only, because it receives every event."""

    def __init__(self, drop: Callable[[Sequence[str]], None], parent: QObject) -> None:
        """Watch.

        Args:
            drop: opens files and addresses, as if they had been dropped on the window.
            parent: what keeps the filter alive.
        """
        super().__init__(parent)
        self._drop = drop

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the events that open something."""
        if not isinstance(event, QFileOpenEvent):
            return False
        self._drop([event.file() or event.url().toString()])
        return True
