"""Accept drag-and-drop events."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QDir, Qt, QUrl
from PySide6.QtGui import QDropEvent

FILTER_MIME: Final = "application/x-lightloom-filter"
"""The type of a drag that carries the id of a filter."""
PRESET_MIME: Final = "application/x-lightloom-preset"
"""The type of a drag that carries the path of a preset."""


def accept_copy(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy: a file manager that proposed a move would delete its files."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def local_path(url: QUrl) -> str:
    """Return the path of a file with the separators of this system, '' of a URL that is not a local file. Qt's own
    has slashes on Windows too, so that one file would have two names.
    """
    return QDir.toNativeSeparators(url.toLocalFile())
