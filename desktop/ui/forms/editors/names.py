"""Names of classes: a line with commas between them."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from desktop.base.fields import Field
from desktop.ui.forms.editors.text import TextEditor
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tasks.task import Features


class NamesEditor(TextEditor):
    """Names with commas between them; completes the last one from those that there are."""

    name = "names"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.line.setPlaceholderText(self.tr("all"))

    def use(self, field: Field, features: Features) -> None:
        """See FieldEditor; names are completed from the network's classes."""
        super().use(field, features)
        completer = _LastNameCompleter(list(features.labels), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.line.setCompleter(completer)

    def parsed(self, text: str) -> Any:
        return self.field.parse(text)

    def text_of(self, value: Any) -> str:
        return ", ".join(value)


class _LastNameCompleter(QCompleter):
    """Completes the text after the last comma."""

    def splitPath(self, path: str) -> list[str]:
        """Return the text to search in the list."""
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: Any) -> str:
        """The whole text with the last name completed."""
        edit = self.widget()
        assert isinstance(edit, QLineEdit)
        before = edit.text().rpartition(",")[0]
        return f"{before}, {index.data()}" if before else str(index.data())


EDITOR: Final = NamesEditor
