"""Format shortcuts, and decide which keys a focused control handles itself; the window handles all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)


def native_text(key: QKeySequence) -> str:
    """Return a shortcut as this system and language write it: "Strg+O" in German, "⌘O" on a Mac."""
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
_TAKING_TEXT: Final = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)
_ENTER: Final = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter))
_PRESS: Final = frozenset((Qt.Key.Key_Space, *_ENTER))


class KeyGuard(QObject):
    """Event filter of the focused control that leaves plain keys to it if it needs them.

    The player's shortcuts are single letters, arrows and Space, as in mpv, which would block typing and
    sliders. Space plays and pauses unless the control takes text, since a clicked button keeps the focus;
    dialogs, and a window where `shows_picture` is False, leave it to their buttons.
    """

    def __init__(self, window: QWidget, shows_picture: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window, self._shows_picture = window, shows_picture

    def begin(self, app: QApplication) -> None:
        """Follow the focus. A filter of the application would see each event of each widget: 10 us a piece, as
        much as all else that building a panel takes.
        """
        app.focusChanged.connect(self._follow)
        self._follow(None, app.focusWidget())

    def end(self, app: QApplication) -> None:
        """Stop following."""
        app.focusChanged.disconnect(self._follow)
        self._follow(app.focusWidget(), None)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None:
            now.installEventFilter(self)

    def _is_in_player(self, widget: QObject) -> bool:
        return isinstance(widget, QWidget) and widget.window() is self._window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if not self._is_in_player(watched):
                return False
            is_lost = is_space(event) and isinstance(watched, QAbstractButton) and self._shows_picture()
            return is_lost or presses(watched, event)
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if is_space(event) and self._is_in_player(watched) and not isinstance(watched, _TAKING_TEXT):
            return False
        # Qt offers it to the widgets around a control that ignores it, too: a list around buttons, for example.
        if any(wants_key(each, event) for each in _with_parents(watched)):
            event.accept()
            return True
        if leaves_undo(watched, event):
            event.ignore()
            return True
        return False


def _with_parents(widget: QObject) -> Iterator[QWidget]:
    """Yield a widget and those around it, up to its window."""
    each = widget if isinstance(widget, QWidget) else None
    while each is not None:
        yield each
        each = None if each.isWindow() else each.parentWidget()


def is_space(event: QKeyEvent) -> bool:
    """True for the space bar alone."""
    return event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier


def presses(widget: QObject, event: QKeyEvent) -> bool:
    """Press a focused button, or open a focused list, on Enter; return whether it was handled."""
    if event.key() not in _ENTER or event.isAutoRepeat():
        return False
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return False
    if isinstance(widget, QAbstractButton) and widget.isEnabled():
        widget.click()
        return True
    if isinstance(widget, QComboBox) and not widget.isEditable() and widget.isEnabled():
        widget.showPopup()
        return True
    return False


def leaves_undo(widget: QObject, event: QKeyEvent) -> bool:
    """Return True for undo and redo in a stage's text field without edits: they act on the chain."""
    line = widget.lineEdit() if isinstance(widget, QAbstractSpinBox) else widget
    if not isinstance(line, QLineEdit) or not _is_in_stage(line):
        return False
    if event.matches(QKeySequence.StandardKey.Undo):
        return not line.isUndoAvailable()
    return event.matches(QKeySequence.StandardKey.Redo) and not line.isRedoAvailable()


def _is_in_stage(widget: QWidget) -> bool:
    # Imported on the first key, since the first frame needs no editor.
    from desktop.ui.forms.editors.editor import FieldEditor

    above: QWidget | None = widget
    while above is not None and not isinstance(above, FieldEditor):
        above = above.parentWidget()
    return above is not None


def wants_key(widget: QObject, event: QKeyEvent) -> bool:
    """Return True if a control handles a key itself."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    if held:
        return False
    key = Qt.Key(event.key()) if event.key() in Qt.Key._value2member_map_ else None
    if isinstance(widget, _TAKING_TEXT):
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
