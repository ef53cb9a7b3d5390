"""A text with suggestions: a line with a list."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLineEdit

from desktop.base.fields import Field, Suggested
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import Themed, WheelGuard


class _SuggestionBox(QComboBox):
    """A line edit with suggestions, which are looked up when the list is opened."""

    def __init__(self, field: Suggested) -> None:
        super().__init__()
        self._suggestions = field.suggestions
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)

    def showPopup(self) -> None:
        text = self.currentText()
        blocker = QSignalBlocker(self)
        self.clear()
        self.addItems(["", *self._suggestions()])
        self.setEditText(text)
        del blocker
        super().showPopup()


class SuggestedEditor(FieldEditor):
    """A line with suggestions."""

    name = "suggested"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        assert isinstance(field, Suggested)
        self.box = _SuggestionBox(field)
        self.box.setMinimumWidth(40)
        guard.watch(self.box)
        line = self.box.lineEdit()
        assert isinstance(line, QLineEdit)
        for widget in (self.box, line):
            self._name(widget)
        self._row.addWidget(self.box, 1)
        line.editingFinished.connect(self._finished)
        self.box.activated.connect(lambda _: self._finished())

    def _finished(self) -> None:
        self.edited.emit(self.box.currentText())
        self.released.emit()

    def set_value(self, value: Any) -> None:
        line = self.box.lineEdit()
        if line is not None and not line.hasFocus():
            with QSignalBlocker(self.box):
                self.box.setEditText(str(value))


EDITOR: Final = SuggestedEditor
