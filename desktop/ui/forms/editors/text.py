"""A text in words: a line."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtWidgets import QLineEdit

from desktop.base.fields import Field, Line, Secret
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard, add_clear_button


class TextEditor(FieldEditor):
    """A line that is taken with Enter, or when the focus leaves it: half a word is no prompt."""

    name = "text"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self._value = ""
        self.line = QLineEdit()
        self.line.setMaxLength(field.longest)
        add_clear_button(self.line, self.tr("Clear the text"))
        if isinstance(field, Line):
            self.line.setPlaceholderText(translated(field.placeholder))
        if isinstance(field, Secret):
            self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setMinimumWidth(60)
        self._name(self.line)
        self._row.addWidget(self.line, 1)
        self.line.textEdited.connect(self.typed)
        self.line.editingFinished.connect(self._finished)
        self.line.setToolTip(self._tip())
        self.set_value(field.default)

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
        self.edited.emit(self.parsed(self._value))
        self.released.emit()

    def parsed(self, text: str) -> Any:
        """Return the value of a text."""
        return text

    def text_of(self, value: Any) -> str:
        """Return the text of a value."""
        return str(value)

    def set_value(self, value: Any) -> None:
        """See FieldEditor. What is being typed stays where another value of the card has changed."""
        text = self.text_of(value)
        is_typed = text == self._value and self.line.isModified()
        self._value = text
        if not is_typed and self.line.text().strip() != text:
            # Signals are not blocked, because they show and hide the clear button.
            self.line.setText(text)
            self.line.setCursorPosition(0)
        self.line.setToolTip(self._tip())

    def _tip(self) -> str:
        # A prompt is longer than the card is wide.
        shown = "" if isinstance(self.field, Secret) else self._value
        return shown or self.line.accessibleDescription()


EDITOR: Final = TextEditor
