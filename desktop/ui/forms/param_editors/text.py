"""A text in words: a line."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.pipeline.filters.param import Param
from desktop.pipeline.filters.params.text import LONGEST
from desktop.ui.forms.param_editors.editor import ParamEditor


class TextEditor(ParamEditor):
    """A line that is taken with Enter, or when the focus leaves it: half a word is no prompt."""

    name = "text"

    def __init__(self, param: Param, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self._value = ""
        self.line = QLineEdit()
        self.line.setMaxLength(LONGEST)
        self.line.setClearButtonEnabled(True)
        self.line.setMinimumWidth(60)
        self._name(self.line)
        self._row.addWidget(self.line, 1)
        self.line.editingFinished.connect(self._finished)
        self.line.setToolTip(self._tip())
        self.set_value(param.default)

    def _finished(self) -> None:
        # Also emitted when the focus only passes through.
        if self.line.text() == self._value:
            return
        self._value = self.line.text()
        place = self.line.cursorPosition()
        # Clear the field's own undo history, so that undo acts on the chain (keys.py).
        self.line.setText(self._value)
        self.line.setCursorPosition(place)
        self.line.setToolTip(self._tip())
        self.edited.emit(self._value)
        self.released.emit()

    def set_value(self, value: Any) -> None:
        """See ParamEditor. What is being typed stays where another value of the card has changed."""
        if str(value) == self._value and (self.line.isModified() or self.line.text() == self._value):
            return
        self._value = str(value)
        # Its signals are not blocked: by them the button that clears it comes and goes.
        self.line.setText(self._value)
        self.line.setCursorPosition(0)
        self.line.setToolTip(self._tip())

    def _tip(self) -> str:
        # A prompt is longer than the card is wide.
        return self._value or self.line.accessibleDescription()


EDITOR: Final = TextEditor
