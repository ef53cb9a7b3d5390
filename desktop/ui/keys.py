"""How keys are written, and which a focused control keeps to itself; all others are the window's."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
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


def native_text(key: QKeySequence) -> str:
    """Return a key as this system and language write it: "Strg+O" in German, "⌘O" on a Mac."""
    return key.toString(QKeySequence.SequenceFormat.NativeText)


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
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if wants_key(watched, event):
            event.accept()
            return True
        if leaves_undo(watched, event):
            event.ignore()
            return True
        return False


def leaves_undo(widget: QObject, event: QKeyEvent) -> bool:
    """True for undo and redo in a stage's entry that has nothing of its own to take back: they are the chain's.

    Qt gives both to whatever line has the focus. A value that was taken with Enter could not be taken back without leaving its entry.
    """
    line = widget.lineEdit() if isinstance(widget, QAbstractSpinBox) else widget
    if not isinstance(line, QLineEdit) or not _is_in_stage(line):
        return False
    if event.matches(QKeySequence.StandardKey.Undo):
        return not line.isUndoAvailable()
    return event.matches(QKeySequence.StandardKey.Redo) and not line.isRedoAvailable()


def _is_in_stage(widget: QWidget) -> bool:
    # Not before a key asks: the first picture needs no editor.
    from desktop.ui.param_editors.editor import ParamEditor

    above: QWidget | None = widget
    while above is not None and not isinstance(above, ParamEditor):
        above = above.parentWidget()
    return above is not None


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
