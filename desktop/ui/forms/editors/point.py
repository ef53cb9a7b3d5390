"""A point of the frame: a small field."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import ElidedLabel, Themed, WheelGuard

_PAD: Final = QSize(96, 54)
_STEPS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class PointEditor(FieldEditor):
    """A small field with a dot to drag; arrow keys move it."""

    name = "point"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.pad = _Pad()
        self._name(self.pad)
        self.text = ElidedLabel()
        self.text.setObjectName("muted")
        self.text.setMinimumWidth(90)
        self._row.addWidget(self.pad)
        self._row.addWidget(self.text, 1)
        self.pad.moved.connect(self._moved)
        self.pad.released.connect(self.released)
        self.pad.reset_requested.connect(self.reset)

    def _moved(self, x: float, y: float) -> None:
        self.set_value((x, y))
        self.edited.emit((x, y))

    def set_value(self, value: Any) -> None:
        x, y = (float(v) for v in value)
        self.pad.set_point(x, y)
        self.text.setText(f"{x * 100:.0f} %, {y * 100:.0f} %")


class _Pad(QWidget):
    """The field of a `PointEditor`."""

    accessible_role = QAccessible.Role.Slider

    moved = Signal(float, float)
    released = Signal()
    reset_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._at = (0.5, 0.5)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(_PAD.width())
        self.setMinimumWidth(_PAD.width() // 2)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return _PAD

    def set_point(self, x: float, y: float) -> None:
        """Move the dot, 0..1 from the upper left corner."""
        self._at = (x, y)
        self.update()

    def _go(self, x: float, y: float) -> None:
        self.moved.emit(round(max(0.0, min(1.0, x)), 3), round(max(0.0, min(1.0, y)), 3))

    def _follow(self, point: QPointF) -> None:
        self._go(point.x() / self.width(), point.y() / self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab the dot."""
        self._follow(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        self._follow(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        self.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset."""
        self.reset_requested.emit()

    def event(self, event: QEvent) -> bool:
        """Keep the arrow keys from the window's actions."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in _STEPS
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by arrow keys."""
        step = _STEPS.get(Qt.Key(event.key())) if event.key() in _STEPS else None
        if step is None:
            super().keyPressEvent(event)
            return
        self._go(self._at[0] + 0.02 * step[0], self._at[1] + 0.02 * step[1])
        self.released.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        line = palette.highlight().color() if self.hasFocus() else palette.mid().color()
        painter.setPen(QPen(line, 1))
        painter.setBrush(palette.window())
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.highlight())
        x, y = self._at
        painter.drawEllipse(QPointF(6 + x * (self.width() - 12), 6 + y * (self.height() - 12)), 4.5, 4.5)


EDITOR: Final = PointEditor
