"""Open documents from macOS: a double click in Finder sends an event, not an argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent


class FileOpener(QObject):
    """Event filter of the application; for macOS only, because it receives every event."""

    def __init__(self, drop: Callable[[Sequence[str]], None], parent: QObject) -> None:
        """Install the filter, kept alive by `parent`; `drop` opens files as if dropped on the window."""
        super().__init__(parent)
        self._drop = drop

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle events that open files."""
        if not isinstance(event, QFileOpenEvent):
            return False
        self._drop([event.file() or event.url().toString()])
        return True
