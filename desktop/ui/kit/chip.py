"""A flat button with an icon, a text and a lesser detail, as in the header of the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton

from desktop.ui.kit import icons
from desktop.ui.kit.widgets import Themed

_PAD: Final = 9
_GAP: Final = 7
_ICON: Final = 16


class Chip(QToolButton):
    """A rounded button; a text that does not fit is elided in the middle, and the detail left out."""

    def __init__(self, themed: Themed, icon: str = "", *, widest: int = 300) -> None:
        """Make it, at most `widest` logical pixels wide."""
        super().__init__()
        self._themed, self._icon, self._role, self._detail = themed, icon, "muted", ""
        self._widest = widest
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        themed.follow(self.update)

    def set_icon(self, name: str, role: str = "muted") -> None:
        """Set the icon, and the theme's color that it is drawn in; '' for none."""
        if (name, role) != (self._icon, self._role):
            self._icon, self._role = name, role
            self.updateGeometry()
            self.update()

    def show_text(self, text: str, detail: str = "") -> None:
        """Set the text, and the lesser text behind it."""
        if (text, detail) != (self.text(), self._detail):
            self._detail = detail
            self.setText(text)
            self.updateGeometry()

    @property
    def detail(self) -> str:
        """The lesser text."""
        return self._detail

    def limit(self, widest: int) -> None:
        """Change the largest width in logical pixels."""
        if widest != self._widest:
            self._widest = widest
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = 2 * _PAD + self._fixed_width() + self.fontMetrics().horizontalAdvance(self.text())
        if self._detail:
            width += _GAP + self.fontMetrics().horizontalAdvance(self._detail)
        return QSize(min(width + 1, self._widest), max(28, self.fontMetrics().height() + 10))

    def minimumSizeHint(self) -> QSize:
        # The name of a source may be cut to a letter, but not a figure or the kind of the adapter.
        metrics = self.fontMetrics()
        text = min(metrics.horizontalAdvance(self.text()), 3 * metrics.height()) + 1
        least = text if self.menu() is None else 12
        return QSize(2 * _PAD + self._fixed_width() + least, self.sizeHint().height())

    def _fixed_width(self) -> int:
        icon = _ICON + (_GAP if self.text() else 0) if self._icon else 0
        return icon + (_GAP + 10 if self.menu() is not None else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._themed.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        active = self.underMouse() or self.isDown()
        painter.setPen(QColor(theme.accent if self.hasFocus() else theme.line))
        painter.setBrush(QColor(theme.hover if active else theme.raised))
        painter.drawRoundedRect(box, 6, 6)
        left, right = _PAD, self.width() - _PAD
        middle = self.height() // 2
        if self._icon:
            color = getattr(theme, self._role)
            painter.drawPixmap(
                left, middle - _ICON // 2, icons.pixmap(self._icon, color, _ICON, self.devicePixelRatioF())
            )
            left += _ICON + _GAP
        if self.menu() is not None:
            chevron = icons.pixmap("chevron_down", theme.muted, 12, self.devicePixelRatioF())
            painter.drawPixmap(right - 11, middle - 6, chevron)
            right -= 10 + _GAP
        self._paint_texts(painter, left, right)

    def _paint_texts(self, painter: QPainter, left: int, right: int) -> None:
        theme, metrics = self._themed.theme, self.fontMetrics()
        needed = metrics.horizontalAdvance(self.text()) + _GAP + metrics.horizontalAdvance(self._detail)
        detail = self._detail if self._detail and needed <= right - left + 1 else ""
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideMiddle, max(0, right - left + 1))
        painter.setPen(QColor(theme.text if self.isEnabled() else theme.muted))
        painter.drawText(QRect(left, 0, right - left + 2, self.height()), int(flags), text)
        if detail:
            left += metrics.horizontalAdvance(text) + _GAP
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRect(left, 0, right - left + 2, self.height()), int(flags), detail)
