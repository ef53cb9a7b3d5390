"""Pop-ups that belong to a widget."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QFrame, QWidget

POPUP_WIDTH: Final = 340


class Popup(QFrame):
    """A pop-up that a click elsewhere or Escape closes.

    Attributes:
        first: the widget that has the focus when it opens; None for none.
    """

    accessible_role = QAccessible.Role.Dialog

    def __init__(self, title: str, anchor: QWidget) -> None:
        """Make it for a widget, below which it opens; `title` is its name for screen readers."""
        super().__init__(anchor.window(), Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("floating")
        self.setAccessibleName(title)
        self._anchor = anchor
        self.first: QWidget | None = None

    def open_below(self) -> None:
        """Show it below its widget, or above where the screen ends."""
        self.place()
        self.show()
        if self.first is not None:
            self.first.setFocus(Qt.FocusReason.PopupFocusReason)

    def place(self) -> None:
        """Give it the size of its content, and move it to where it fits on the screen."""
        self.adjustSize()
        screen = self._anchor.screen().availableGeometry()
        at = self._anchor.mapToGlobal(QPoint(0, self._anchor.height() + 2))
        if at.y() + self.height() > screen.bottom():
            above = self._anchor.mapToGlobal(QPoint(0, -2)).y() - self.height()
            at.setY(max(screen.top(), above))
        right = min(screen.right(), self._anchor.window().geometry().right() - 4)
        at.setX(max(screen.left(), min(at.x(), right - self.width())))
        self.move(at)
