"""Ask for confirmation before the window closes while an export is running."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.ui.features.exports.exports import Exports
from desktop.ui.kit.messages import Messages, NoticeButton

_WAITS: Final = "closing behind the exports"
_ROLE: Final = QMessageBox.ButtonRole


class Closing(QObject):
    """Decides whether the window may close; running exports are child processes and end with it."""

    may_close = Signal()

    def __init__(self, exports: Exports, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self._exports, self._messages, self._window = exports, messages, parent
        self._is_free = False
        self._waits = False
        self.question: QMessageBox | None = None
        exports.changed.connect(self._close_if_idle)

    def free(self) -> None:
        """Stop asking: the program is shutting down."""
        self._is_free = True

    def allows(self) -> bool:
        """Return True if the window may close now; otherwise ask, and emit `may_close` on consent."""
        if self._is_free or not self._exports.is_busy:
            return True
        if self.question is None:
            self._confirm_closing()
        return False

    def _confirm_closing(self) -> None:
        self.question = box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Exports"))
        box.setText(self.tr("%n exports are not done yet.", "", self._exports.left))
        box.setInformativeText(
            self.tr(
                "Exports end with the window. Those that are not done begin again from their beginning at "
                "the next start; older files stay."
            )
        )
        wait = box.addButton(self.tr("Close when they are done"), _ROLE.AcceptRole)
        later = box.addButton(self.tr("Close, and go on at the next start"), _ROLE.DestructiveRole)
        stay = box.addButton(self.tr("Do not close"), _ROLE.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.finished.connect(
            lambda _: self._on_choice(box.clickedButton() is wait, box.clickedButton() is later)
        )
        box.open()

    def _on_choice(self, wait: bool, later: bool) -> None:
        if self.question is not None:
            self.question.deleteLater()
            self.question = None
        self._stay()
        if wait:
            self._wait()
        if later:
            self._exports.go_on_at_next_start()
            self._is_free = True
            self.may_close.emit()
        self._close_if_idle()

    def _wait(self) -> None:
        """Close after the last export. Paused exports are resumed, or the wait would never end."""
        self._waits = True
        self._exports.go_on_all()
        stay = NoticeButton(self.tr("Do not close"), self._stay)
        text = self.tr("Lightloom closes when its exports are done.")
        self._messages.post("hint", text, about=_WAITS, buttons=(stay,))

    def _stay(self) -> None:
        self._waits = False
        self._messages.settled.emit(_WAITS)

    def _close_if_idle(self) -> None:
        if self._waits and not self._exports.is_busy:
            self._waits = False
            self._is_free = True
            self.may_close.emit()
