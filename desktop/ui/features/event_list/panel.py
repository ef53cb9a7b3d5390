"""The panel of events: filters, rows with thumbnails, and the clip of the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QTreeView,
    QWidget,
)

from desktop.outputs.events.event_log import EventFilter
from desktop.ui.features.event_list.clip_player import ClipPlayer
from desktop.ui.features.event_list.event_list import Entry, EventList
from desktop.ui.features.event_list.model import ENTRY, THUMBNAIL, EventModel
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, WheelGuard, column, muted, scrolled
from desktop.ui.workspace.panel import PanelContext

_REFRESH_MS: Final = 100
_AGING_MS: Final = 10_000
_MEASURED_ROWS: Final = 20
# Widths in logical pixels below which the position, then class and zone, are left out.
_WITH_POSITION: Final = 560
_WITH_CLASS: Final = 420


class EventsPanel(QWidget):
    """The events of the window, newest first; Enter or a double click plays one."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._list = context.workspace.get(EventList)
        self._themed = context.themed
        self._guard = WheelGuard(self)
        self._player: ClipPlayer | None = None
        self.label = self._combo(self.tr("Class"))
        self.zone = self._combo(self.tr("Zone"))
        self.period = self._combo(self.tr("Time"))
        periods = (
            (self.tr("Any time"), 0),
            (self.tr("Last 10 minutes"), 10),
            (self.tr("Last hour"), 60),
            (self.tr("Last day"), 1440),
        )
        for text, minutes in periods:
            self.period.addItem(text, minutes)
        self.play = self._button("play", self.tr("Play the event (Enter)"), self._play)
        self.save = self._button("download", self.tr("Save a clip of the event"), self._save)
        self.keep = IconButton(
            context.themed,
            "record",
            self.tr("Keep clips of the events of live sources, until Lightloom ends"),
            checkable=True,
        )
        self.keep.clicked.connect(self._list.toggle_clips)
        self.open = self._button("folder", self.tr("Open events that were written as JSON lines"), self._open)
        self.clear = self._button("trash", self.tr("Clear the list"), self._list.clear)
        titles = (self.tr("Event"), self.tr("Class"), self.tr("Zone"), self.tr("Time"), self.tr("At"))
        self.model = EventModel(titles, self.devicePixelRatioF())
        self.view = _EventView(self)
        self.view.setModel(self.model)
        self.view.setAccessibleName(self.tr("Events"))
        self.view.activated.connect(lambda _: self._play())
        self.view.selectionModel().currentChanged.connect(lambda *_: self._show_buttons())
        header = self.view.header()
        header.setStretchLastSection(False)
        # By a few rows: all of them would be laid out with each event.
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._empty = muted()
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.all = QPushButton(self.tr("Show all"))
        self.all.clicked.connect(self._show_all)
        empty = QWidget()
        below = column(empty, 12, 8)
        below.addStretch(1)
        below.addWidget(self._empty)
        below.addWidget(self.all, 0, Qt.AlignmentFlag.AlignHCenter)
        below.addStretch(1)
        self._pages = QStackedWidget()
        # In a low panel the text scrolls; its end would be cut off.
        self._pages.addWidget(scrolled(empty))
        self._pages.addWidget(self.view)
        layout = column(self, 6, 4)
        layout.addLayout(self._filters())
        layout.addLayout(self._buttons())
        layout.addWidget(self._pages, 1)
        # Many events come with one frame, and each is refreshed again by its thumbnail.
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        self._list.changed.connect(self._timer.start)
        self._aging = QTimer(self)
        self._aging.setInterval(_AGING_MS)
        self._aging.timeout.connect(self.refresh)
        self._list.clip_opened.connect(self._show_clip)
        self.setFocusProxy(self.view)
        self.refresh()

    def _filters(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        for combo in (self.label, self.zone, self.period):
            row.addWidget(combo, 1)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addStretch()
        for button in (self.play, self.save, self.keep, self.open, self.clear):
            row.addWidget(button)
        return row

    def _combo(self, name: str) -> QComboBox:
        box = ElidedComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        box.setMinimumWidth(60)
        box.setMaximumWidth(170)
        box.activated.connect(lambda _: self.refresh())
        self._guard.watch(box)
        return box

    def _button(self, icon: str, text: str, act: Callable[[], object]) -> IconButton:
        button = IconButton(self._themed, icon, text)
        button.clicked.connect(lambda: act())
        return button

    # -- showing ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the events that pass the filters."""
        entries = self._list.entries
        occurrences = [entry.event.occurrence for entry in entries]
        _fill(self.label, self.tr("All classes"), {each.label for each in occurrences if each.label})
        _fill(self.zone, self.tr("All zones"), {each.zone for each in occurrences if each.zone})
        minutes = int(self.period.currentData())
        since = datetime.now(UTC) - timedelta(minutes=minutes) if minutes else None
        passes = EventFilter(str(self.label.currentData()), str(self.zone.currentData()), since)
        current = self._current()
        self.model.show([entry for entry in entries if passes.accepts(entry.event)])
        self._select(current)
        shown = bool(self.model.entries)
        self._pages.setCurrentIndex(1 if shown else 0)
        self._empty.setText(
            self.tr("None of the events passes the filters.")
            if entries
            else self.tr(
                "No event yet. Draw a zone (Z) and add an event to it in the panel Zones: what happens is "
                "listed here. The folder opens events of an earlier time."
            )
        )
        self.all.setVisible(bool(entries) and not shown)
        self.clear.setEnabled(bool(entries))
        self.keep.setChecked(self._list.stores_clips)
        (self._aging.start if minutes else self._aging.stop)()
        self._show_buttons()

    def _current(self) -> Entry | None:
        index = self.view.currentIndex()
        found: Entry | None = index.data(ENTRY) if index.isValid() else None
        return found

    def _select(self, entry: Entry | None) -> None:
        """Keep an entry selected that moved; without one, the newest can be played at once."""
        numbers = [each.number for each in self.model.entries]
        row = numbers.index(entry.number) if entry is not None and entry.number in numbers else 0
        if (
            numbers
            and (entry is not None or not self.view.hasFocus())
            and row != self.view.currentIndex().row()
        ):
            flags = QItemSelectionModel.SelectionFlag
            self.view.selectionModel().setCurrentIndex(
                self.model.index(row, 0), flags.ClearAndSelect | flags.Rows
            )

    def _show_buttons(self) -> None:
        entry = self._current()
        refusal = "" if entry is None else self._list.reason_against(entry)
        for button, text in (
            (self.play, self.tr("Play the event (Enter)")),
            (self.save, self.tr("Save a clip of the event")),
        ):
            button.setEnabled(entry is not None and not refusal)
            button.setToolTip(refusal or text)

    def _show_all(self) -> None:
        for combo in (self.label, self.zone, self.period):
            combo.setCurrentIndex(0)
        self.refresh()
        self.view.setFocus()

    # -- acting ----------------------------------------------------------------------------------------------

    def _play(self) -> None:
        if (entry := self._current()) is not None:
            self._list.play(entry)

    def _save(self) -> None:
        if (entry := self._current()) is not None:
            self._list.save(entry)

    def _open(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Open events"),
            str(self._list.events_file or ""),
            self.tr("JSON lines ({0});;All files (*)").format("*.jsonl *.ndjson"),
        )
        if path:
            self._list.open_file(Path(path))

    def _show_clip(self, entry: Entry) -> None:
        if entry.event.clip is None:
            return
        self._close_player()
        self._player = ClipPlayer(
            entry.event.clip, translated(entry.event.occurrence.text()), self._themed, self
        )
        self._player.saved.connect(lambda: self._list.save(entry))
        self._player.show()

    def _close_player(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.close()
            player.deleteLater()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what the buttons do."""
        menu = QMenu(self)
        for button, act in ((self.play, self._play), (self.save, self._save)):
            action = QAction(button.accessibleName(), menu)
            action.setEnabled(button.isEnabled())
            action.triggered.connect(act)
            menu.addAction(action)
        menu.exec(event.globalPos())

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop what is needed only while it is shown."""
        super().hideEvent(event)
        self._aging.stop()

    def shutdown(self) -> None:
        """See `HasWork`."""
        self._close_player()


class _EventView(QTreeView):
    """Rows that are selected whole; narrow ones leave columns out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setIconSize(THUMBNAIL)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns for which there is no space."""
        super().resizeEvent(event)
        width = self.viewport().width()
        for section, least in ((1, _WITH_CLASS), (2, _WITH_CLASS), (4, _WITH_POSITION)):
            self.setColumnHidden(section, width < least)


def _fill(combo: QComboBox, every: str, names: set[str]) -> None:
    """Offer all names, and keep the choice while it is there."""
    wanted = ["", *sorted(names)]
    if [combo.itemData(place) for place in range(combo.count())] == wanted:
        return
    chosen = combo.currentData()
    with QSignalBlocker(combo):
        combo.clear()
        combo.addItem(every, "")
        for name in wanted[1:]:
            combo.addItem(name, name)
        combo.setCurrentIndex(max(0, combo.findData(chosen)))
