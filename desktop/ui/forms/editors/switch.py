"""On or off: a check box."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import Themed, WheelGuard


class BoolEditor(FieldEditor):
    """A check box."""

    name = "switch"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.box = QCheckBox()
        self._name(self.box)
        self._row.addWidget(self.box)
        self._row.addStretch(1)
        self.box.toggled.connect(self._toggled)

    def _toggled(self, on: bool) -> None:
        self.edited.emit(on)
        self.released.emit()

    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(bool(value))


EDITOR: Final = BoolEditor
