"""Select a region of a monitor on a screenshot, by mouse or arrow keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QScreen
from PySide6.QtWidgets import QWidget

_SHADE: Final = QColor(0, 0, 0, 110)
_SMALLEST: Final = 8
_STEP: Final = 10
_ARROWS: Final = {
    Qt.Key.Key_Left: QPoint(-1, 0),
    Qt.Key.Key_Right: QPoint(1, 0),
    Qt.Key.Key_Up: QPoint(0, -1),
    Qt.Key.Key_Down: QPoint(0, 1),
}


class RegionPicker(QWidget):
    """Covers a monitor with a screenshot, on which a drag or the arrows (Shift: size) select a region.

    Enter accepts, Escape cancels. Not a translucent window, which is black without a compositor. Signal
    `picked` has a QRect in physical pixels of the monitor.
    """

    picked = Signal(QRect)
    left = Signal()

    def __init__(self, screen: QScreen, shown: QPixmap | None = None) -> None:
        """Make it; `shown` is the screenshot, taken now if None."""
        super().__init__(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Draw a region"))
        self.setAccessibleName(self.tr("Region of the monitor"))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._still = screen.grabWindow(0) if shown is None else shown
        self._scale = screen.devicePixelRatio()
        self._is_done = False
        self._from = QPoint()
        self._rect = QRect()
        self.setGeometry(screen.geometry())
        size = screen.geometry().size() / 3
        self._use(QRect(QPoint(size.width(), size.height()), size))

    @property
    def region(self) -> QRect:
        """The selection, in physical pixels of the monitor."""
        rect, scale = self._rect, self._scale
        corner = QPoint(round(rect.left() * scale), round(rect.top() * scale))
        size = QSize(round(rect.width() * scale), round(rect.height() * scale))
        # Rounded up, the last pixel may lie beyond the monitor.
        return QRect(corner, size).intersected(QRect(QPoint(0, 0), self._still.size()))

    def _use(self, rect: QRect) -> None:
        self._rect = rect.intersected(self.rect())
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._use(_between(self._from, event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Accept the drawn region; a click alone draws none."""
        drawn = _between(self._from, event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and min(drawn.width(), drawn.height()) >= _SMALLEST:
            self._use(drawn)
            self._take()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the region, accept it or cancel."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() in _ARROWS:
            self._move(_ARROWS[Qt.Key(event.key())] * _STEP, event.modifiers())
        else:
            super().keyPressEvent(event)

    def _move(self, by: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        rect = QRect(self._rect)
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            rect.setSize((rect.size() + QSize(by.x(), by.y())).expandedTo(QSize(_SMALLEST, _SMALLEST)))
        else:
            rect.translate(by)
            rect.moveLeft(max(0, min(rect.left(), self.width() - rect.width())))
            rect.moveTop(max(0, min(rect.top(), self.height() - rect.height())))
        self._use(rect)

    def _take(self) -> None:
        if not self._is_done:
            self._is_done = True
            self.picked.emit(self.region)
            self.close()

    def closeEvent(self, event: object) -> None:
        """Emit `left` if nothing was selected."""
        if not self._is_done:
            self._is_done = True
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the screenshot, dimmed outside the region, and the instructions."""
        painter = QPainter(self)
        painter.drawPixmap(self.rect(), self._still)
        rect = self._rect
        painter.setClipRegion(self.visibleRegion().subtracted(rect))
        painter.fillRect(self.rect(), _SHADE)
        painter.setClipping(False)
        painter.setPen(QPen(Qt.GlobalColor.white, 1))
        painter.drawRect(rect.adjusted(-1, -1, 0, 0))
        self._draw_caption(painter, rect)

    def _draw_caption(self, painter: QPainter, rect: QRect) -> None:
        region = self.region
        text = self.tr(
            "{0} × {1} pixels. Drag, or use the arrows (Shift: size). Enter takes it, Escape goes back."
        ).format(region.width(), region.height())
        box = painter.fontMetrics().boundingRect(text).adjusted(-10, -6, 10, 6)
        # Below the region, or inside of it at the bottom of the screen.
        top = rect.bottom() + 8
        if top + box.height() > self.height():
            top = max(0, rect.bottom() - box.height() - 8)
        box.moveTopLeft(QPoint(max(0, min(rect.left(), self.width() - box.width())), top))
        painter.fillRect(box, QColor(0, 0, 0, 200))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _between(one: QPoint, other: QPoint) -> QRect:
    """Return the rectangle with both corners; `QRect.normalized` leaves them out if it swaps sides."""
    corner = QPoint(min(one.x(), other.x()), min(one.y(), other.y()))
    return QRect(corner, QSize(abs(one.x() - other.x()) + 1, abs(one.y() - other.y()) + 1))
