"""Search in the text of a shader."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from desktop.ui.kit.widgets import IconButton, Themed, muted


class _Field(QLineEdit):
    def __init__(self, bar: FindBar) -> None:
        super().__init__()
        self._bar = bar

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._bar.end()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._bar.step(forward=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """A field that searches while typing; Enter and Shift+Enter step, Escape closes."""

    def __init__(self, editor: QPlainTextEdit, themed: Themed) -> None:
        super().__init__()
        self._editor = editor
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.field = _Field(self)
        self.field.setPlaceholderText(self.tr("Find in the shader"))
        self.field.setAccessibleName(self.tr("Find in the shader"))
        self.field.textEdited.connect(self._find_first)
        self.note = muted(wrap=False)
        close = IconButton(themed, "close", self.tr("Close the search"))
        close.clicked.connect(self.end)
        row.addWidget(self.field, 1)
        row.addWidget(self.note)
        row.addWidget(close)
        self.hide()

    def begin(self) -> None:
        """Show the field, with the selected word."""
        selected = self._editor.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self.field.setText(selected)
        self.note.clear()
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def end(self) -> None:
        """Hide the field and return to the text."""
        self.hide()
        self._editor.setFocus()

    def _find_first(self) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._editor.setTextCursor(cursor)
        self.step()

    def step(self, *, forward: bool = True) -> None:
        """Select the next or previous place of the text, around the end of the document."""
        text = self.field.text()
        flags = QTextDocument.FindFlag(0) if forward else QTextDocument.FindFlag.FindBackward
        found = not text or self._editor.find(text, flags)
        if not found:
            cursor = self._editor.textCursor()
            operation = QTextCursor.MoveOperation
            cursor.movePosition(operation.Start if forward else operation.End)
            before = self._editor.textCursor()
            self._editor.setTextCursor(cursor)
            found = self._editor.find(text, flags)
            if not found:
                self._editor.setTextCursor(before)
        self.note.setText("" if found else self.tr("Not found"))
