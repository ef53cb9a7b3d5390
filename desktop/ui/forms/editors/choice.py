"""One of several names: a list."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter

from desktop.base.fields import Field, Selection
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard


class ElidedComboBox(QComboBox):
    """A list whose chosen entry is elided if it does not fit; Qt's own cuts it off."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, field.width() - 2
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class ChoiceEditor(FieldEditor):
    """A list of choices."""

    name = "choice"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.box = ElidedComboBox()
        titles = field.titles if isinstance(field, Selection) else {}
        self.box.addItems([translated(titles.get(choice, choice)) for choice in field.choices])
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        guard.watch(self.box)
        self._name(self.box)
        self._row.addWidget(self.box)
        self.box.activated.connect(self._chosen)

    def _chosen(self, index: int) -> None:
        self.edited.emit(self.field.choices[index])
        self.released.emit()

    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.field.choices.index(str(value)))


EDITOR: Final = ChoiceEditor
