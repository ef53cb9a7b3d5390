"""Draw masks in the video, and choose the objects that they follow, by pointer and keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from desktop.ui.features.masks.masks import Masks
from desktop.ui.features.masks.shapes import BrushEditing, PolygonEditing
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
_ENDING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MaskTool(QObject):
    """Handles events while a part of a mask is edited in the video; see `PointerTool`."""

    def __init__(self, masks: Masks, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._masks, self._viewport = masks, viewport
        self._held: int | None = None
        self._last_position: Position | None = None
        self._is_painting = self._has_cursor = False
        # Before the zones, whose corners may lie below.
        viewport.tools.insert(0, self)
        viewport.installEventFilter(self)
        masks.changed.connect(self._restore_cursor)
        masks.began.connect(viewport.setFocus)

    def _restore_cursor(self) -> None:
        if self._has_cursor and self._masks.selected is None:
            self._has_cursor = False
            self._viewport.unsetCursor()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note that the pointer has left the video."""
        if event.type() == QEvent.Type.Leave:
            self._masks.point_at(None)
        return False

    def _set_cursor(self, shape: Qt.CursorShape) -> None:
        self._has_cursor = True
        self._viewport.setCursor(shape)

    @property
    def _is_choosing_object(self) -> bool:
        return self._masks.selected is not None and self._masks.purpose != "draw"

    @property
    def _has_brush(self) -> bool:
        return isinstance(self._masks.active, BrushEditing)

    def _handle_at(self, at: QPointF) -> int | None:
        return handle_at(self._viewport, self._masks.handles, at)

    def _is_over(self, at: QPointF) -> bool:
        return self._viewport.is_on_picture(at) and not self._viewport.on_split(at)

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Grab a handle or the whole shape, add a corner, begin a stroke or erase one, choose an object."""
        masks, at = self._masks, event.position()
        if masks.selected is None or (not self._is_choosing_object and masks.active is None):
            return False
        position = self._viewport.share_at(at)
        if position is None:
            return False
        if self._has_brush and self._erases(event):
            masks.erase_stroke()
            return True
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if self._is_choosing_object:
            if not self._is_over(at):
                return False
            masks.choose_object(position)
            return True
        if self._has_brush:
            self._is_painting = self._is_over(at)
            if self._is_painting:
                masks.begin_stroke(position)
            return self._is_painting
        return self._grab(at, position)

    @staticmethod
    def _erases(event: QMouseEvent) -> bool:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return event.button() == Qt.MouseButton.RightButton or (
            alt and event.button() == Qt.MouseButton.LeftButton
        )

    def _grab(self, at: QPointF, position: Position) -> bool:
        masks = self._masks
        self._held = self._handle_at(at)
        if self._held is None and isinstance(masks.active, PolygonEditing) and self._is_over(at):
            self._held = masks.add_corner(position)
        if self._held is not None:
            masks.choose_handle(self._held)
            return True
        if masks.contains(position):
            masks.choose_handle(None)
            self._last_position = position
            return True
        return False

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Drag what is held; without a button, show what can be."""
        masks, position = self._masks, self._viewport.share_at(event.position())
        if masks.selected is None or position is None:
            return False
        if self._held is not None:
            masks.drag(self._held, position)
            return True
        if self._last_position is not None:
            masks.shift(self._last_position, position)
            self._last_position = position
            return True
        if self._is_painting:
            masks.point_at(position)
            masks.continue_stroke(position)
            return True
        return event.buttons() == Qt.MouseButton.NoButton and self._hover(event.position(), position)

    def _hover(self, at: QPointF, position: Position) -> bool:
        masks = self._masks
        if not self._is_over(at):
            masks.point_at(None)
            return False
        if self._is_choosing_object or self._has_brush:
            masks.point_at(position)
            self._set_cursor(
                Qt.CursorShape.PointingHandCursor if self._is_choosing_object else Qt.CursorShape.CrossCursor
            )
            return True
        if self._handle_at(at) is not None:
            self._set_cursor(Qt.CursorShape.SizeAllCursor)
            return True
        if isinstance(masks.active, PolygonEditing):
            self._set_cursor(Qt.CursorShape.CrossCursor)
            return True
        if masks.contains(position):
            self._set_cursor(Qt.CursorShape.OpenHandCursor)
            return True
        return False

    def mouse_release(self, event: QMouseEvent) -> bool:
        """End a drag, which is one step of undo."""
        is_ours = self._held is not None or self._last_position is not None or self._is_painting
        self._held, self._last_position, self._is_painting = None, None, False
        if is_ours:
            self._masks.seal()
        return is_ours

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """Remove a corner of a polygon, or end one; for others, both presses are presses."""
        masks = self._masks
        if not isinstance(masks.active, PolygonEditing) or event.button() != Qt.MouseButton.LeftButton:
            return self.mouse_press(event)
        handle = self._handle_at(event.position())
        if masks.is_unfinished:
            masks.finish()  # its last corner was set by the first click
        elif handle is not None:
            masks.remove_corner(handle)
        return True

    def wants_menu(self) -> bool:
        """Return whether the right button erases strokes."""
        return self._has_brush

    def wants_key(self, event: QKeyEvent) -> bool:
        """Return whether the tool uses a key now, overriding the window's shortcuts."""
        masks, key = self._masks, event.key()
        if masks.selected is None or has_other_modifiers(event):
            return False
        if key == Qt.Key.Key_Escape:
            return True
        if key in PAGES:
            return bool(masks.handles)
        if key in ARROWS:
            # They go on seeking in the video until a handle is chosen.
            return masks.handle is not None
        has_corner = isinstance(masks.active, PolygonEditing) and masks.handle is not None
        if key == Qt.Key.Key_Insert:
            return has_corner
        if key in _REMOVING:
            return has_corner or self._has_brush
        return key in _ENDING and masks.is_unfinished

    def key_press(self, event: QKeyEvent) -> bool:
        """Handle a key of the tool; return False for any other."""
        if not self.wants_key(event):
            return False
        masks, key, handles = self._masks, event.key(), self._masks.handles
        if key == Qt.Key.Key_Escape:
            masks.select(None)
        elif key in PAGES:
            masks.choose_handle(next_handle(masks.handle, len(handles), event))
        elif key in _ENDING:
            masks.finish()
        elif self._has_brush:
            masks.erase_stroke()
        elif masks.handle is not None and masks.handle < len(handles):
            if key in ARROWS:
                masks.drag(masks.handle, stepped(self._viewport, event, handles[masks.handle]))
            elif key == Qt.Key.Key_Insert:
                masks.divide_edge(masks.handle)
            else:
                masks.remove_corner(masks.handle)
        return True
