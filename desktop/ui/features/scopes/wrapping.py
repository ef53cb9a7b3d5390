"""Containers whose widgets continue on the next line where the panel is narrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_GAP: Final = 6


class WrappingRow(QWidget):
    """Widgets of their own widths, side by side and then below each other."""

    def __init__(self, widgets: Sequence[QWidget]) -> None:
        super().__init__()
        self._widgets = tuple(widgets)
        for widget in self._widgets:
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _places(self, width: int) -> list[QRect]:
        x = y = 0
        hints = [widget.sizeHint() for widget in self._widgets]
        line = max(hint.height() for hint in hints)
        places = []
        for hint in hints:
            if x and x + hint.width() > width:
                x, y = 0, y + line + _GAP
            places.append(QRect(x, y, min(hint.width(), max(width, 1)), line))
            x += hint.width() + _GAP
        return places

    def heightForWidth(self, width: int) -> int:
        return self._places(width)[-1].bottom() + 1

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        width = sum(widget.sizeHint().width() + _GAP for widget in self._widgets)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        width = max(widget.sizeHint().width() for widget in self._widgets)
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """Place the widgets again when one has another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return bool(super().event(event))

    def _place(self) -> None:
        for widget, place in zip(self._widgets, self._places(self.width()), strict=True):
            widget.setGeometry(place)
        self.updateGeometry()


class ViewGrid(QWidget):
    """Visible widgets in equal cells that fill the room, each at least of its minimum size."""

    def __init__(self, widgets: Sequence[QWidget]) -> None:
        super().__init__()
        self._widgets = tuple(widgets)
        for widget in self._widgets:
            widget.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._widgets if not widget.isHidden()]

    @property
    def _least(self) -> QSize:
        return QSize(*(max(w.minimumSize().toTuple()[axis] for w in self._widgets) for axis in (0, 1)))

    def _cells(self) -> tuple[int, int]:
        """Return columns and rows."""
        count = max(1, len(self._shown))
        columns = max(1, min(count, (self.width() + _GAP) // (self._least.width() + _GAP)))
        return columns, -(-count // columns)

    def sizeHint(self) -> QSize:
        # No higher: a scroll area gives as much as that before it leaves the rest to what is visible.
        return QSize(4 * 220, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        rows = self._cells()[1]
        return QSize(self._least.width(), rows * (self._least.height() + _GAP) - _GAP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Place the visible widgets."""
        columns, rows = self._cells()
        width = (self.width() - (columns - 1) * _GAP) / columns
        height = (self.height() - (rows - 1) * _GAP) / rows
        for number, widget in enumerate(self._shown):
            x, y = number % columns * (width + _GAP), number // columns * (height + _GAP)
            left, top = round(x), round(y)
            widget.setGeometry(left, top, round(x + width) - left, round(y + height) - top)
        self.updateGeometry()
