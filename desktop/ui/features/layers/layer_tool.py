"""Move and resize the selected layer in the video, by pointer and keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from desktop.ui.features.layers.layer_edits import MAIN, LayerEdits
from desktop.ui.workspace.handles import (
    ARROWS,
    PAGES,
    handle_at,
    has_other_modifiers,
    next_handle,
    stepped,
)
from desktop.ui.workspace.viewport import Viewport
from desktop.vision.tasks.shapes import Position

_REMOVING: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class LayerTool(QObject):
    """Handles events while a layer is selected; see `PointerTool`."""

    def __init__(self, layers: LayerEdits, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._layers, self._viewport = layers, viewport
        self._held: int | None = None
        self._last: Position | None = None
        self._has_cursor = False
        viewport.tools.append(self)
        layers.changed.connect(self._restore_cursor)

    def _restore_cursor(self) -> None:
        if self._has_cursor and self._layers.selected is None:
            self._has_cursor = False
            self._viewport.unsetCursor()

    def _handle_at(self, at: QPointF) -> int | None:
        return handle_at(self._viewport, self._layers.handles, at)

    def _position(self, at: QPointF) -> Position | None:
        """Return the position under a point, which may lie beside the frame: layers reach out of it."""
        origin, end = self._viewport.point_of((0.0, 0.0)), self._viewport.point_of((1.0, 1.0))
        if self._viewport.share_at(at) is None or origin.x() == end.x() or origin.y() == end.y():
            return None
        return (
            (at.x() - origin.x()) / (end.x() - origin.x()),
            (at.y() - origin.y()) / (end.y() - origin.y()),
        )

    def _contains(self, position: Position) -> bool:
        share = self._layers.share
        if share is None or (self._layers.selected == MAIN and not self._layers.layers.moves_main):
            return False  # a drag moves the view
        left, top, width, height = share
        return left <= position[0] < left + width and top <= position[1] < top + height

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Grab a corner or the selected layer, or choose another one."""
        layers, position = self._layers, self._position(event.position())
        if layers.selected is None or position is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._held = self._handle_at(event.position())
        if self._held is not None:
            layers.select(layers.selected, self._held)
            return True
        if not self._contains(position):
            other = layers.at(position)
            if other is None:
                return False
            layers.select(other)
        layers.select(layers.selected)
        self._last = position
        return True

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Drag what is held; without a button, show what can be."""
        layers, position = self._layers, self._position(event.position())
        if layers.selected is None or position is None:
            return False
        if self._held is not None:
            layers.drag(self._held, position)
            return True
        if self._last is not None:
            layers.shift((position[0] - self._last[0], position[1] - self._last[1]))
            self._last = position
            return True
        if event.buttons() != Qt.MouseButton.NoButton:
            return False
        if self._handle_at(event.position()) is not None:
            self._set_cursor(Qt.CursorShape.SizeAllCursor)
            return True
        if self._contains(position):
            self._set_cursor(Qt.CursorShape.OpenHandCursor)
            return True
        return False

    def _set_cursor(self, shape: Qt.CursorShape) -> None:
        self._has_cursor = True
        self._viewport.setCursor(shape)

    def mouse_release(self, event: QMouseEvent) -> bool:
        """End a drag, which is one step of undo."""
        is_ours = self._held is not None or self._last is not None
        self._held = self._last = None
        if is_ours:
            self._layers.seal()
        return is_ours

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """Both presses are presses."""
        return self.mouse_press(event)

    def wants_menu(self) -> bool:
        """The right button is the window's."""
        return False

    def wants_key(self, event: QKeyEvent) -> bool:
        """Return whether the tool uses a key now, overriding the window's shortcuts."""
        if self._layers.selected is None or has_other_modifiers(event) or not self._layers.handles:
            return False
        return event.key() in (*ARROWS, *PAGES, *_REMOVING, Qt.Key.Key_Escape)

    def key_press(self, event: QKeyEvent) -> bool:
        """Handle a key of the tool; return False for any other."""
        if not self.wants_key(event):
            return False
        layers, key, handles = self._layers, event.key(), self._layers.handles
        if key == Qt.Key.Key_Escape:
            layers.select(None)
        elif key in PAGES:
            layers.select(layers.selected, next_handle(layers.corner, len(handles), event))
        elif key in _REMOVING:
            layers.remove()
        elif layers.corner is not None:
            layers.drag(layers.corner, stepped(self._viewport, event, handles[layers.corner]))
        else:
            layers.shift(stepped(self._viewport, event, (0.0, 0.0)))
        return True
