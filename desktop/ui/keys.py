"""The window's actions: one table of names, texts, keys and what they do; menus, buttons and the palette all come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)


@dataclass(frozen=True)
class Entry:
    """An action: its text, keys (the first is shown), what it does, and whether it is a switch."""

    name: str
    text: str
    keys: tuple[str, ...]
    run: Callable[[], object]
    checkable: bool = False


def plain_text(text: str) -> str:
    """Return a menu entry's text without the mark of its key and the dots."""
    return text.replace("&", "").rstrip(".")


def native_text(key: QKeySequence) -> str:
    """Return a key as this system and language write it: "Strg+O" in German, "⌘O" on a Mac."""
    return key.toString(QKeySequence.SequenceFormat.NativeText)


def make_actions(owner: QWidget, entries: list[Entry]) -> dict[str, QAction]:
    """Make the actions and give their keys to a window."""
    actions: dict[str, QAction] = {}
    for entry in entries:
        action = QAction(entry.text, owner)
        action.setObjectName(entry.name)
        # What the action is called whatever its text becomes ("Undo", not "Undo Add Vignette").
        action.setIconText(plain_text(entry.text))
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setCheckable(entry.checkable)
        action.triggered.connect(lambda _=False, run=entry.run: run())
        # Full screen hides the menu bar, whose actions would then lose their keys.
        owner.addAction(action)
        actions[entry.name] = action
    return actions


_ARROWS: Final = frozenset(
    (
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    )
)
_PRESS: Final = frozenset((Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter))


class KeyGuard(QObject):
    """Leaves plain keys to a focused control that needs them.

    The player's keys are single letters, arrows and space, as in mpv. Without this a focused slider could not be moved by the arrows,
    a button not be pressed by space, and nobody could type a number.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See QObject."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and wants_key(watched, event)
        ):
            event.accept()
            return True
        return False


def wants_key(widget: QObject, event: QKeyEvent) -> bool:
    """True if a control uses a key by itself."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    if held:
        return False
    key = Qt.Key(event.key()) if event.key() in Qt.Key._value2member_map_ else None
    if isinstance(widget, (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)):
        return bool(event.text()) or key in _ARROWS
    if isinstance(widget, QAbstractSlider):
        return key in _ARROWS
    if isinstance(widget, QAbstractButton):
        return key in _PRESS
    if isinstance(widget, QAbstractItemView) and widget.window().windowType() == Qt.WindowType.Popup:
        return False  # the list of a combo box, which chooses on this very event and must get it
    if isinstance(widget, (QComboBox, QAbstractItemView)):
        return key in _ARROWS or key in _PRESS
    return False
