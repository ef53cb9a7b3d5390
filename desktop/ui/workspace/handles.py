"""Handles of shapes on the frame: grabbed by the pointer, moved by the arrow keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from desktop.ui.kit.view_moves import grabbed
from desktop.ui.workspace.viewport import Viewport
from desktop.vision.tasks.shapes import Position

# How far an arrow key moves a handle, in shares of the frame; with Shift the smaller way.
_STEP: Final = 0.01
_SMALL_STEP: Final = 0.001

ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
"""Keys that move a handle, with their ways."""
PAGES: Final = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
"""Keys that choose the next handle."""


def has_other_modifiers(event: QKeyEvent) -> bool:
    """Return whether a key is pressed with others than Shift."""
    allowed = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    return bool(event.modifiers() & ~allowed)


def handle_at(viewport: Viewport, handles: Iterable[Position], at: QPointF) -> int | None:
    """Return the index of the handle, in fractions of the frame, under a point of the widget."""
    return grabbed((viewport.point_of(handle).toTuple() for handle in handles), at.toTuple())


def stepped(viewport: Viewport, event: QKeyEvent, at: Position) -> Position:
    """Return where an arrow key moves a handle."""
    across, down = ARROWS[Qt.Key(event.key())]
    step = _SMALL_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
    return at[0] + (-across if viewport.view.mirrored else across) * step, at[1] + down * step


def next_handle(chosen: int | None, count: int, event: QKeyEvent) -> int:
    """Return the handle that Page Up or Page Down chooses."""
    return 0 if chosen is None else (chosen + PAGES[Qt.Key(event.key())]) % count
