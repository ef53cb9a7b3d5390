"""Pick colors of the video and magnify its pixels, by pointer and keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent

from desktop.ui.features.scopes.scopes import Scopes
from desktop.ui.workspace.viewport import Viewport

# How far an arrow key moves the position, in pixels; with Shift the farther way.
_STEP: Final = 1
_LARGE_STEP: Final = 10
_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_COPY: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PickerTool(QObject):
    """Handles events while colors are picked or pixels magnified; see `PointerTool`. It comes before all other tools."""

    def __init__(self, scopes: Scopes, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._scopes, self._viewport = scopes, viewport
        self._is_pressed = self._was_aiming = False
        viewport.tools.insert(0, self)
        scopes.changed.connect(self._follow)

    def _follow(self) -> None:
        if self._scopes.is_aiming == self._was_aiming:
            return
        self._was_aiming = self._scopes.is_aiming
        if self._was_aiming:
            self._viewport.setCursor(Qt.CursorShape.CrossCursor)
            self._viewport.setFocus()
        else:
            self._viewport.unsetCursor()

    def _is_over(self, event: QMouseEvent) -> bool:
        at = event.position()
        on_picture = self._viewport.is_on_picture(at) and not self._viewport.on_split(at)
        return self._scopes.is_aiming and on_picture

    def _aim(self, event: QMouseEvent) -> None:
        at = self._viewport.share_at(event.position())
        if at is not None:
            self._scopes.aim(at)

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Copy the color under the pointer, or the magnified values."""
        if event.button() != Qt.MouseButton.LeftButton or not self._is_over(event):
            return False
        self._is_pressed = True
        self._copy()
        return True

    def _copy(self) -> None:
        if self._scopes.is_picking:
            self._scopes.copy()
        else:
            self._scopes.copy_values()

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Pick the color under the pointer."""
        if not self._is_over(event):
            return False
        self._viewport.setCursor(Qt.CursorShape.CrossCursor)
        self._aim(event)
        return True

    def mouse_release(self, event: QMouseEvent) -> bool:
        """End the click."""
        was_pressed, self._is_pressed = self._is_pressed, False
        return was_pressed

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """Both presses are clicks."""
        return self.mouse_press(event)

    def wants_menu(self) -> bool:
        """The right button is the window's."""
        return False

    def wants_key(self, event: QKeyEvent) -> bool:
        """Return whether the tool uses a key now, overriding the window's shortcuts."""
        if not self._scopes.is_aiming:
            return False
        if event.matches(QKeySequence.StandardKey.Copy):
            return True
        if event.key() in _ARROWS:
            return not event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
        return event.key() in (*_COPY, Qt.Key.Key_Escape) and not (
            event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        )

    def key_press(self, event: QKeyEvent) -> bool:
        """Handle a key of the tool; return False for any other."""
        if not self.wants_key(event):
            return False
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self._scopes.set_picking(False)
            self._scopes.set_magnifying(False)
        elif key in _COPY or event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            is_large = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move(_ARROWS[key], _LARGE_STEP if is_large else _STEP)
        return True

    def _move(self, way: tuple[int, int], pixels: int) -> None:
        size, at = self._scopes.size, self._scopes.at
        if at is None or not size[0]:
            return
        across = -way[0] if self._viewport.view.mirrored else way[0]
        steps = (across * pixels, way[1] * pixels)
        # To the middle of a pixel.
        moved = (
            (max(0, min(side - 1, int(share * side) + step)) + 0.5) / side
            for share, side, step in zip(at, size, steps, strict=True)
        )
        x, y = moved
        self._scopes.aim((x, y))
