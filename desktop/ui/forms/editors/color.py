"""A color: a button that opens a dialog."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QColorDialog, QPushButton

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import Themed, WheelGuard


class ColorEditor(FieldEditor):
    """A button in the color; it opens the color dialog."""

    name = "color"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self._color = QColor(Qt.GlobalColor.black)
        self._value: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0)
        self.button = _Swatch()
        self._name(self.button)
        self._row.addWidget(self.button)
        self._row.addStretch(1)
        self.button.clicked.connect(self._choose_color)

    def _choose_color(self) -> None:
        dialog = QColorDialog(self._color, self)
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.currentColorChanged.connect(self._chosen)
        # Not the dialog's color, which is rounded: canceling changes nothing.
        before = self._value
        tried: list[QColor] = []
        dialog.currentColorChanged.connect(tried.append)
        if not dialog.exec() and tried:
            self.set_value(before)
            self.edited.emit(before)
        self.released.emit()

    def _chosen(self, color: QColor) -> None:
        self._color = color
        self.button.set_color(color)
        self._value = (color.redF(), color.greenF(), color.blueF(), color.alphaF())
        self.edited.emit(self._value)

    def set_value(self, value: Any) -> None:
        self._value = tuple(value)
        self._color = QColor.fromRgbF(*(max(0.0, min(1.0, float(v))) for v in value))
        self.button.set_color(self._color)


class _Swatch(QPushButton):
    """A button that shows a color and its hexadecimal value."""

    def __init__(self) -> None:
        super().__init__()
        self._color = QColor()
        self.setMinimumWidth(104)

    def sizeHint(self) -> QSize:
        return QSize(112, super().sizeHint().height())

    def set_color(self, color: QColor) -> None:
        """Show a color."""
        self._color = color
        self.setText("      " + color.name().upper())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().mid().color(), 1))
        painter.setBrush(self._color)
        painter.drawRoundedRect(QRectF(7.5, self.height() / 2 - 7.5, 15, 15), 3, 3)


EDITOR: Final = ColorEditor
