"""The panel of the set list."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QStackedWidget, QWidget

from desktop.pipeline.setup.fading import LONGEST_FADE_S
from desktop.ui.features.set_list.set_list import SetList
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.kit.language import decimal
from desktop.ui.kit.widgets import IconButton, WheelGuard, column, muted
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.panel import PanelContext


class SetListPanel(QWidget):
    """The entries in order; Enter or a double click goes to one."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._set_list = context.workspace.get(SetList)
        themed, actions = context.themed, context.actions
        self.previous = IconButton(themed, "previous", with_key(actions["set_list_previous"]))
        self.next = IconButton(themed, "next", with_key(actions["set_list_next"]))
        self.previous.clicked.connect(actions["set_list_previous"].trigger)
        self.next.clicked.connect(actions["set_list_next"].trigger)
        self.add = IconButton(themed, "plus", self.tr("Add the look of the chain to the set list"))
        self.add.clicked.connect(self._set_list.add)
        self.take_out = IconButton(themed, "trash", self.tr("Remove from the set list (Delete)"))
        self.take_out.clicked.connect(self._remove)
        self.fade = NumberBox()
        self.fade.setRange(0.0, LONGEST_FADE_S)
        self.fade.setSingleStep(0.5)
        self.fade.setDecimals(1)
        self.fade.setSuffix(" s")
        self.fade.setAccessibleName(self.tr("Cross-fade to the selected look"))
        self.fade.setToolTip(self.fade.accessibleName())
        self._guard = WheelGuard(self)
        self._guard.watch(self.fade)
        self.fade.valueChanged.connect(self._set_fade)
        row = QHBoxLayout()
        row.setSpacing(2)
        for widget in (self.previous, self.next, self.add, self.take_out):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.fade)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Set list"))
        self.list.itemActivated.connect(lambda item: self._set_list.go(self.list.row(item)))
        self.list.currentRowChanged.connect(self._show_current)
        empty = muted(
            self.tr(
                "Apply a look and add it with +. Page Up and Page Down with Ctrl go from one look of the list to "
                "the next, and so do MIDI, OSC and remote control."
            )
        )
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(empty)
        self._pages.addWidget(self.list)
        layout = column(self, 6, 4)
        layout.addLayout(row)
        layout.addWidget(self._pages, 1)
        for keys, act in (
            ("Del", self._remove),
            ("Alt+Up", lambda: self._move(-1)),
            ("Alt+Down", lambda: self._move(1)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)
        self._set_list.changed.connect(self.refresh)
        context.workspace.edits.setup_changed.connect(self._follow_look)
        self.refresh()
        self._follow_look()

    def refresh(self) -> None:
        """Show the entries; the one at the place is bold."""
        entries, place, row = self._set_list.entries, self._set_list.place, self.list.currentRow()
        with QSignalBlocker(self.list):
            self.list.clear()
            for number, entry in enumerate(entries):
                fade = f" · {decimal(entry.fade_s, 1)} s" if entry.fade_s else ""
                self.list.addItem(f"{number + 1}  {entry.title}{fade}")
                font = self.list.font()
                font.setBold(number == place)
                self.list.item(number).setFont(font)
            self.list.setCurrentRow(min(row if row >= 0 else place or 0, len(entries) - 1))
        self._pages.setCurrentIndex(1 if entries else 0)
        for widget in (self.previous, self.next, self.take_out, self.fade):
            widget.setEnabled(bool(entries))
        self._show_current(self.list.currentRow())

    def _follow_look(self) -> None:
        self.add.setEnabled(self._set_list.can_add)

    def _show_current(self, row: int) -> None:
        entries = self._set_list.entries
        with QSignalBlocker(self.fade):
            self.fade.setValue(entries[row].fade_s if 0 <= row < len(entries) else 0.0)

    def _set_fade(self, seconds: float) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self._set_list.set_fade(row, seconds)

    def _remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self._set_list.remove(row)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        if row >= 0 and 0 <= row + by < self.list.count():
            self._set_list.move(row, row + by)
            self.list.setCurrentRow(row + by)
