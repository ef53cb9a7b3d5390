"""Accept drag-and-drop events."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent


def accept_copy(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy: a file manager that proposed a move would delete its files."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
