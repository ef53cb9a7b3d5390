"""A value that the program keeps and the user can only clear."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QDateTime, QLocale

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.setting import Names
from desktop.ui.kit.widgets import Themed, WheelGuard, muted


class RememberedEditor(FieldEditor):
    """A description of the value."""

    name = "remembered"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.said = muted(wrap=False)
        self._name(self.said)
        self._row.addWidget(self.said)
        self._row.addStretch(1)

    def set_value(self, value: Any) -> None:
        match value:
            case list() | dict():
                is_internal = isinstance(self.field, Names) and self.field.internal
                text = self.tr("%n entries", "", len(value))
                self.said.setToolTip("" if is_internal else "\n".join(value))
            case int():
                text = QLocale().toString(value)
            case float():
                when = QDateTime.fromSecsSinceEpoch(int(value))
                text = QLocale().toString(when, QLocale.FormatType.ShortFormat) if value else self.tr("Never")
            case _:
                text = self.tr("As it comes") if value.isEmpty() else self.tr("Kept")
        self.said.setText(text)


EDITOR: Final = RememberedEditor
