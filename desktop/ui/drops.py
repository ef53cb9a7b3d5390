"""How a drop is answered."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent


def accept_copy(event: QDropEvent) -> None:
    """Accept what is dropped, or dragged over, as copied: a file manager that proposed to move it would delete its files."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
