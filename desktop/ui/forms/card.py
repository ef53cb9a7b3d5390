"""Cards of the chain panel: the frame, and the head that all of them share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFocusEvent, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.kit.information import Information
from desktop.ui.kit.widgets import IconButton, IconLabel, SideOrBelow, Themed, WrappedLabel

LONG_TIME: Final = "~888.88 ms"  # what a card keeps room for beside its title
_MARGINS: Final = 24  # of a text, left and right
NO_KEY: Final = Qt.KeyboardModifier.NoModifier
Keys = dict[tuple[int, Qt.KeyboardModifier], str]
EXPAND_KEYS: Final[Keys] = {
    (Qt.Key.Key_Return, NO_KEY): "expand",
    (Qt.Key.Key_Enter, NO_KEY): "expand",
    (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier): "expand",
    (Qt.Key.Key_Enter, Qt.KeyboardModifier.ShiftModifier): "expand",
}


class Card(QFrame):
    """A framed card that can be focused; its frame shows focus and failure."""

    accessible_role = QAccessible.Role.ListItem

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Preferred: limited to its hint, a text would be cut off if narrowing adds lines.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def mark(self, name: str, on: bool) -> None:
        """Set a property that the style sheet uses."""
        if bool(self.property(name)) != on:
            self.setProperty(name, on)
            self.style().unpolish(self)
            self.style().polish(self)
            if name == "bypassed":  # the sheet has rules for what is in such a card
                for child in self.findChildren(QWidget):
                    child.style().unpolish(child)
                    child.style().polish(child)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        self.mark("selected", True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        self.mark("selected", False)
        super().focusOutEvent(event)

    def fitted(self, text: str) -> str:
        """Return a text with each word elided to the card's width, which a label would cut off."""
        room = max(100, self.width() - _MARGINS)
        metrics, mode = self.fontMetrics(), Qt.TextElideMode.ElideMiddle
        return re.sub(r"\S+", lambda word: metrics.elidedText(word[0], mode, room), text)


class FoldingCard(Card):
    """A card of the chain panel: its head, the same on every card, and a body that opens and closes.

    The head has an icon (the grip, if the card can be moved), the arrow, the title with a lesser text, the
    power button and the menu. Arrow, title and Enter open and close; with Shift, others stay as they are.

    Signals:
        toggled: what the card stands for was switched on or off.
        command: an entry of the menu or a key: 'information', 'statistics',
            'remove', and those of a kind of card.
    """

    expansion_requested = Signal(bool)
    toggled = Signal(bool)
    command = Signal(str)
    keys: ClassVar[Keys] = EXPAND_KEYS | {(Qt.Key.Key_X, NO_KEY): "toggle"}

    def __init__(self, themed: Themed, tip: str, icon: str = "network", name: QWidget | None = None) -> None:
        """Make a card; `tip` is its arrow's tool tip, `icon` is left of the arrow, `name` replaces the title."""
        super().__init__()
        self._press: QPoint | None = None
        self._is_on = True
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(6, 5, 6, 5)
        self.column.setSpacing(4)
        self.expander = IconButton(themed, "chevron_right", tip)
        self.expander.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.expander.clicked.connect(lambda: self._request_expansion(QGuiApplication.keyboardModifiers()))
        self.title = WrappedLabel()
        self.title.setObjectName("cardTitle")
        self.time = QLabel()
        self.time.setObjectName("muted")
        self.time.hide()
        self.power = IconButton(themed, "power", self.tr("Enable or disable"), checkable=True)
        self.power.setChecked(True)
        self.power.toggled.connect(self._power_toggled)
        self.more = IconButton(themed, "more", self.tr("More"))
        self.more.clicked.connect(
            lambda: self.show_menu(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        named = name
        if named is None:
            align = Qt.AlignmentFlag.AlignLeft
            named = SideOrBelow(self.title, self.time, reserve=LONG_TIME, align=align)
        head = QHBoxLayout()
        head.setSpacing(3)
        self.icon = IconLabel(themed, icon)
        for widget in (self.icon, self.expander, named, self.power, self.more):
            head.addWidget(widget)
        head.setStretch(2, 1)
        self.column.addLayout(head)

    @property
    def is_on(self) -> bool:
        """False while what the card stands for is switched off."""
        return self._is_on

    def show_head(self, title: str, *, is_on: bool) -> None:
        """Show the title, and whether what the card stands for is on; a card that is off is dimmed."""
        self._is_on = is_on
        self.power.setChecked(is_on)
        self.mark("bypassed", not is_on)
        if title != self.title.plain:
            self.title.setText(title)
        self.power.setAccessibleName(self.tr("{0}: on or off").format(title))
        self.more.setAccessibleName(self.tr("{0}: more").format(title))
        self.setAccessibleName(self.tr("{0}, {1}").format(title, self.tr("on") if is_on else self.tr("off")))

    def show_time(self, text: str) -> None:
        """Show the lesser text of the head; '' leaves the title its place."""
        if text != self.time.text():
            self.time.setText(text)
        if self.time.isHidden() == bool(text):
            self.time.setVisible(bool(text))

    def _power_toggled(self, on: bool) -> None:
        if on != self._is_on:
            self.toggled.emit(on)

    def show_menu(self, at: QPoint) -> None:
        """Show the card's menu at a global point."""
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def make_menu(self) -> QMenu:
        """Return the card's menu."""
        menu = QMenu(self)
        for text, name in self.menu_entries():
            if not name:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.triggered.connect(lambda _=False, name=name: self.command.emit(name))
        return menu

    def menu_entries(self) -> Sequence[tuple[str, str]]:
        """Return text and command of each entry of the menu; one without a command is a separator."""
        return (
            (self.tr("Information"), "information"),
            (self.tr("Statistics"), "statistics"),
            (self.tr("Remove"), "remove"),
        )

    def information(self) -> Information:
        """Return what the information pop-up of the card says."""
        return Information(self.title.plain)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu."""
        self.show_menu(event.globalPos())

    def _request_expansion(self, modifiers: Qt.KeyboardModifier) -> None:
        self.expansion_requested.emit(bool(modifiers & Qt.KeyboardModifier.ShiftModifier))

    def event(self, event: QEvent) -> bool:
        """Keep a card's own keys from the window's actions."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._key_command(event)
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def _key_command(self, event: QKeyEvent) -> str:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return self.keys.get((event.key(), modifiers), "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of a focused card; Enter does not count with which a field has accepted its number."""
        name = self._key_command(event)
        if name == "expand" and self.hasFocus():
            self._request_expansion(event.modifiers())
        elif not name or name == "expand":
            super().keyPressEvent(event)
        elif name == "toggle":
            self.toggled.emit(not self._is_on)
        else:
            self.command.emit(name)

    @property
    def _head_height(self) -> int:
        head = self.column.itemAt(0)
        return head.geometry().bottom() + 4 if head is not None else 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click on the title."""
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() < self._head_height:
            self._press = event.position().toPoint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the title opens or closes."""
        pressed, self._press = self._press, None
        if pressed is not None:
            self._request_expansion(event.modifiers())
