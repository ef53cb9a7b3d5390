"""Pointer and keyboard tool for prompts, active while the network in use accepts them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.workspace.viewport import Viewport

_KEYS: Final = (Qt.Key.Key_Escape, Qt.Key.Key_Backspace)


class ClickTool(QObject):
    """Tool for prompts: click marks, right or Alt click excludes, drag draws a box. See `PointerTool`."""

    def __init__(self, clicks: Clicks, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._clicks, self._viewport = clicks, viewport
        self._pressed: QPointF | None = None
        self._is_box = False
        viewport.tools.append(self)
        clicks.changed.connect(self._dress)

    def _dress(self) -> None:
        if self._clicks.is_active:
            self._viewport.setCursor(Qt.CursorShape.CrossCursor)

    def _is_background(self, event: QMouseEvent) -> bool:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return alt or event.button() == Qt.MouseButton.RightButton

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Begin a click or a box."""
        buttons = (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if not self._clicks.is_active or event.button() not in buttons:
            return False
        if self._viewport.on_split(event.position()) or not self._viewport.is_on_picture(event.position()):
            return False
        self._clicks.hold()
        self._pressed, self._is_box = event.position(), False
        return True

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Draw a box while the left button is held."""
        if not self._clicks.is_active:
            return False
        if self._pressed is None:
            if self._viewport.on_split(event.position()):
                return False
            self._dress()
            return True
        off = event.position() - self._pressed
        if (
            event.buttons() & Qt.MouseButton.LeftButton
            and off.manhattanLength() >= QApplication.startDragDistance()
        ):
            self._is_box = True
        start, end = self._viewport.share_at(self._pressed), self._viewport.share_at(event.position())
        if self._is_box and start is not None and end is not None:
            self._clicks.aim(start, end)
        return True

    def mouse_release(self, event: QMouseEvent) -> bool:
        """Set the point, or the box."""
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return False
        start, end = self._viewport.share_at(pressed), self._viewport.share_at(event.position())
        if start is None or end is None:
            return True
        if self._is_box and start[0] != end[0] and start[1] != end[1]:
            self._clicks.set_box(start, end)
        else:
            self._clicks.add_point(start, inside=not self._is_background(event))
        return True

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """Both presses are clicks."""
        return self.mouse_press(event)

    def wants_menu(self) -> bool:
        """Return whether the tool uses the right button, so that only the menu key opens the context menu."""
        return self._clicks.is_active

    def wants_key(self, event: QKeyEvent) -> bool:
        """Return whether the tool uses a key now, overriding the window's shortcuts."""
        return bool(self._clicks.prompts) and event.key() in _KEYS and not event.modifiers()

    def key_press(self, event: QKeyEvent) -> bool:
        """Escape points at nothing, Backspace takes back the last point."""
        if not self.wants_key(event):
            return False
        (self._clicks.clear if event.key() == Qt.Key.Key_Escape else self._clicks.take_back)()
        return True
