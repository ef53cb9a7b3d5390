"""Ask for confirmation before the window closes while an export, also of results, or a recording is running."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.kit.messages import Messages, NoticeButton

_WAITS: Final = "closing behind the exports"
_ROLE: Final = QMessageBox.ButtonRole


class Closing(QObject):
    """Decides whether the window may close; running exports are child processes and end with it. Those of results
    are canceled.

    `records` returns whether a recording is running, which closing ends and saves.
    """

    may_close = Signal()

    def __init__(
        self,
        exports: Exports,
        results: ResultsExport,
        messages: Messages,
        parent: QWidget,
        *,
        records: Callable[[], bool],
    ) -> None:
        super().__init__(parent)
        self._records = records
        self._exports, self._results, self._messages, self._window = exports, results, messages, parent
        self._is_free = False
        self._waits = self._has_failed = False
        # Exports that had failed when the wait began, which the user knows of.
        self._failed_before: frozenset[str] = frozenset()
        self.question: QMessageBox | None = None
        exports.changed.connect(self._close_if_idle)
        results.changed.connect(self._close_if_idle)

    def free(self) -> None:
        """Stop asking: the program is shutting down."""
        self._is_free = True

    def allows(self) -> bool:
        """Return True if the window may close now; otherwise ask, and emit `may_close` on consent."""
        if self._is_free or not (self._exports_left or self._records()):
            return True
        if self.question is None:
            self._confirm_closing()
        return False

    @property
    def _exports_left(self) -> int:
        """Number of exports, of videos and of results, that run or wait."""
        return self._exports.left + self._results.left

    @property
    def _failed(self) -> frozenset[str]:
        return self._exports.failed | self._results.failed

    def _confirm_closing(self) -> None:
        self.question = box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        if self._exports_left:
            wait, close = self._question_on_exports(box)
        else:
            wait, close = None, self._question_on_recording(box)
        stay = box.addButton(self.tr("Do not close"), _ROLE.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.finished.connect(
            lambda _: self._on_choice(
                wait=wait is not None and box.clickedButton() is wait, close=box.clickedButton() is close
            )
        )
        box.open()

    def _question_on_exports(self, box: QMessageBox) -> tuple[QPushButton, QPushButton]:
        """Fill the question; return its buttons to close after the exports, and to close now."""
        box.setWindowTitle(self.tr("Exports"))
        box.setText(self.tr("%n exports are not done yet.", "", self._exports_left))
        explained = [self._explain_recording()] if self._records() else []
        if self._exports.is_busy:
            explained.append(
                self.tr(
                    "Exports of videos and images end with the window. Those that are not done begin again from "
                    "their beginning at the next start; older files stay."
                )
            )
        if self._results.left:
            explained.append(
                self.tr("Exports of results are canceled when the window closes, and write no file.")
            )
        box.setInformativeText("\n\n".join(explained))
        wait = box.addButton(self.tr("Close when they are done"), _ROLE.AcceptRole)
        if not self._results.left:
            close = self.tr("Close, and go on at the next start")
        elif self._exports.is_busy:
            close = self.tr("Close now")
        else:
            close = self.tr("Close and cancel them")
        return wait, box.addButton(close, _ROLE.DestructiveRole)

    def _question_on_recording(self, box: QMessageBox) -> QPushButton:
        """Fill the question; return its button to close."""
        box.setWindowTitle(self.tr("Recording"))
        box.setText(self.tr("A recording is running."))
        box.setInformativeText(self._explain_recording())
        return box.addButton(self.tr("Close and save the recording"), _ROLE.AcceptRole)

    def _explain_recording(self) -> str:
        return self.tr("The recording ends when the window closes, and its file is saved.")

    def _on_choice(self, *, wait: bool, close: bool) -> None:
        if self.question is not None:
            self.question.deleteLater()
            self.question = None
        self._stay()
        if wait:
            self._wait()
        if close:
            # The first failure is shown in the window; the user may close all the same.
            fails = self._exports.is_busy and not self._exports.go_on_at_next_start()
            if not fails or self._has_failed:
                self._is_free = True
                self.may_close.emit()
            self._has_failed = fails
        self._close_if_idle()

    def _wait(self) -> None:
        """Close after the last export. Paused exports are resumed, or the wait would never end."""
        self._waits = True
        self._failed_before = self._failed
        self._exports.go_on_all()
        stay = NoticeButton(self.tr("Do not close"), self._stay)
        text = self.tr("Lightloom closes when its exports are done.")
        self._messages.post("hint", text, about=_WAITS, buttons=(stay,))

    def _stay(self) -> None:
        self._waits = False
        self._messages.settled.emit(_WAITS)

    def _close_if_idle(self) -> None:
        """Close if that is waited for and no export is left; stay if one has failed, so that its error is seen."""
        if not self._waits:
            return
        failed = self._failed
        self._failed_before &= failed  # one that begins again may fail again
        if failed - self._failed_before:
            self._stay()
        elif not self._exports_left:
            self._waits = False
            self._is_free = True
            self.may_close.emit()
