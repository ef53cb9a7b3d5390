"""Answers the modal dialogs that wait for the user, with clicks and keys as a user has them; Qt's own, not
the system's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QMessageBox

_LOOK_MS = 20


def _waiting() -> QFileDialog | QMessageBox | None:
    """Return the dialog that waits for an answer."""
    found = QApplication.activeModalWidget()
    return found if isinstance(found, QFileDialog | QMessageBox) and found.isVisible() else None


@contextmanager
def answering(answer: Callable[[QFileDialog | QMessageBox], None]) -> Iterator[None]:
    """Hand each dialog that opens meanwhile to `answer`, which closes it."""
    timer = QTimer(interval=_LOOK_MS)

    def look() -> None:
        dialog = _waiting()
        if dialog is not None:
            answer(dialog)

    timer.timeout.connect(look)
    timer.start()
    try:
        yield
    finally:
        timer.stop()


def choose_path(dialog: QFileDialog, path: str | Path) -> None:
    """Type a path and accept it; cancel for ''."""
    buttons = dialog.findChild(QDialogButtonBox)
    if not str(path):
        dialog.reject()
        return
    dialog.findChild(QLineEdit, "fileNameEdit").setText(str(path))
    accept = QDialogButtonBox.ButtonRole.AcceptRole
    next(button for button in buttons.buttons() if buttons.buttonRole(button) == accept).click()


@contextmanager
def chosen_paths(*paths: str | Path) -> Iterator[list[str]]:
    """Type one path into each file dialog that opens meanwhile, in their order; '' cancels. Yields the paths
    that are left.
    """
    left = [str(path) for path in paths]

    def answer(dialog: QFileDialog | QMessageBox) -> None:
        assert isinstance(dialog, QFileDialog), dialog.text()
        choose_path(dialog, left.pop(0))

    with answering(answer):
        yield left
