"""An angle: what a new type of parameter takes in the window, in one file."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QDial

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import Themed, WheelGuard


class DialEditor(FieldEditor):
    """A dial."""

    name = "dial"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.dial = QDial()
        self.dial.setRange(0, 359)
        self.dial.setWrapping(True)
        self._name(self.dial)
        self._row.addWidget(self.dial)
        self.dial.valueChanged.connect(lambda degrees: self.edited.emit(float(degrees)))
        self.dial.sliderReleased.connect(self.released)

    def set_value(self, value: Any) -> None:
        """See FieldEditor."""
        with QSignalBlocker(self.dial):
            self.dial.setValue(round(value))


EDITOR: Final = DialEditor
