"""Panel of exports of videos and results: their progress, and actions on the selected one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.outputs.encoding import CONTAINERS
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.kit.widgets import NoteLabel, column, format_time
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.outputs.export_queue import Export

_ID: Final = Qt.ItemDataRole.UserRole
_STATE_WIDTH, _LEFT_WIDTH = 130, 150


@dataclass(frozen=True)
class QueueRow:
    """An entry of the list: the export of a video, or of a network's results.

    Attributes:
        export: the video's; None for results.
        share: progress, 0 to 1; None if unknown.
        text: a description of the result, or the reason of a failure.
    """

    id: str
    target: Path
    state: str
    share: float | None
    text: str
    export: Export | None = None

    @property
    def is_video(self) -> bool:
        """True for a finished video, which the window can play."""
        return self.export is not None and self.state == "done" and self.target.suffix.lower() in CONTAINERS


class ExportsPanel(QWidget):
    """The queue as a list, with buttons for the selected entry."""

    def __init__(self, workspace: Workspace, export: QAction) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._exports, self._results = workspace.get(Exports), workspace.get(ResultsExport)
        self._outputs, self._messages = workspace.outputs, workspace.messages
        self._states = {
            "waiting": self.tr("Waits"),
            "running": self.tr("Running"),
            "paused": self.tr("Paused"),
            "interrupted": self.tr("Interrupted"),
            "done": self.tr("Done"),
            "failed": self.tr("Failed"),
            "canceled": self.tr("Canceled"),
        }
        self.list = self._list()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setMaximumWidth(160)
        self.bar.setAccessibleName(self.tr("How far the export is"))
        self.note = NoteLabel()
        self.pause = self._button(self.tr("Pause"), self._pause)
        self.up = self._button("↑", lambda name: self._exports.move(name, -1))
        self.down = self._button("↓", lambda name: self._exports.move(name, 1))
        for button, name in ((self.up, self.tr("Up")), (self.down, self.tr("Down"))):
            button.setObjectName("rowButton")
            button.setToolTip(name)
            button.setAccessibleName(name)
            # As high as the others.
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self.cancel = self._button(self.tr("Cancel"), self._cancel)
        self.play = self._button(self.tr("Play"), self._play)
        self.play.setToolTip(self.tr("Open the finished video in this window as it was written"))
        self.folder = self._button(self.tr("Show in folder"), self._open_folder)
        self.new = QPushButton(export.text().replace("&", ""))
        self.new.clicked.connect(export.trigger)
        self._export = export
        layout = column(self, 6, 6)
        layout.addWidget(self.list, 1)
        said = QHBoxLayout()
        said.addWidget(self.note, 1)
        said.addWidget(self.bar)
        # In another row than the others, which fill a small window.
        said.addWidget(self.new)
        layout.addLayout(said)
        row = QHBoxLayout()
        for button in (self.pause, self.up, self.down, self.cancel, self.play, self.folder):
            row.addWidget(button)
        row.addStretch(1)
        layout.addLayout(row)
        self.setMinimumHeight(170)
        self._exports.changed.connect(self.refresh)
        self._results.changed.connect(self.refresh)
        self.list.currentItemChanged.connect(lambda *_: self._show_selected())
        self.list.itemDoubleClicked.connect(lambda item, _: self._play(item.data(0, _ID)))
        self._exports.begin()
        self.refresh()

    def _list(self) -> QTreeWidget:
        found = QTreeWidget()
        found.setColumnCount(3)
        found.setHeaderLabels([self.tr("File"), self.tr("State"), self.tr("Time left, size")])
        found.setRootIsDecorated(False)
        found.setUniformRowHeights(True)
        found.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        found.setAccessibleName(self.tr("Exports"))
        header = found.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place, width in ((1, _STATE_WIDTH), (2, _LEFT_WIDTH)):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(place, max(width, header.sectionSizeHint(place)))
        return found

    def _button(self, text: str, act: object) -> QPushButton:
        button = QPushButton(text)

        def clicked() -> None:
            row = self.selected_row
            if row is not None and callable(act):
                act(row.id)

        button.clicked.connect(clicked)
        return button

    # -- what is shown ---------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[QueueRow, ...]:
        """All entries: videos in the order of their queue, then results."""
        videos = [
            QueueRow(e.job.id, e.job.target, e.state, e.share if e.total else None, e.text, e)
            for e in self._exports.all
        ]
        results = [
            QueueRow(e.id, e.plan.target, e.state, e.share or None, e.text) for e in self._results.entries
        ]
        return (*videos, *results)

    def _row(self, name: str) -> QueueRow | None:
        return next((row for row in self.rows if row.id == name), None)

    @property
    def selected_row(self) -> QueueRow | None:
        """The entry that is selected."""
        item = self.list.currentItem()
        return self._row(item.data(0, _ID)) if item is not None else None

    @property
    def selected(self) -> Export | None:
        """The video export that is selected."""
        row = self.selected_row
        return row.export if row is not None else None

    def refresh(self) -> None:
        """Show the current queue; the selection stays with its entry."""
        rows = self.rows
        names = [row.id for row in rows]
        items = [self.list.topLevelItem(n) for n in range(self.list.topLevelItemCount())]
        shown = [item.data(0, _ID) for item in items if item is not None]
        if names != shown:
            self._fill(names)
        for place, row in enumerate(rows):
            item = self.list.topLevelItem(place)
            if item is None:
                continue
            item.setText(0, row.target.name)
            item.setToolTip(0, str(row.target))
            item.setText(1, self._state_text(row))
            item.setText(2, self._left_text(row.export) if row.export is not None else self.tr("Results"))
        self._show_selected()

    def _fill(self, names: list[str]) -> None:
        chosen = self.list.currentItem()
        kept = chosen.data(0, _ID) if chosen is not None else ""
        before = {
            item.data(0, _ID)
            for n in range(self.list.topLevelItemCount())
            if (item := self.list.topLevelItem(n))
        }
        new = [name for name in names if name not in before]
        added = new[-1] if new and self.list.topLevelItemCount() < len(names) else kept
        self.list.blockSignals(True)
        self.list.clear()
        for name in names:
            item = QTreeWidgetItem()
            item.setData(0, _ID, name)
            self.list.addTopLevelItem(item)
            if name == (added or names[0]):
                self.list.setCurrentItem(item)
        first = self.list.topLevelItem(0)
        if self.list.currentItem() is None and first is not None:
            self.list.setCurrentItem(first)
        self.list.blockSignals(False)

    def _state_text(self, row: QueueRow) -> str:
        said = self._states[row.state]
        has_share = row.state in ("running", "paused") and row.share is not None
        return f"{said}, {row.share:.0%}" if has_share else said

    def _left_text(self, export: Export) -> str:
        left = export.seconds_left if export.state in ("running", "paused") else None
        if left is None:
            return ""
        size = export.bytes_in_all
        about = self.tr("about {0} MB").format(decimal(size / 1e6, 1)) if size else ""
        return ", ".join(part for part in (format_time(left), about) if part)

    def _show_selected(self) -> None:
        row = self.selected_row
        export = row.export if row is not None else None
        state = row.state if row is not None else ""
        under_way = state in ("running", "paused")
        may_pause = under_way or state in ("interrupted", "failed", "canceled")
        self.pause.setEnabled(export is not None and may_pause)
        self.pause.setText(
            self.tr("Pause")
            if state in ("running", "waiting", "") or export is None
            else self.tr("Continue")
            if state == "paused"
            else self.tr("Begin again")
        )
        self.cancel.setEnabled(row is not None)
        self.cancel.setText(self.tr("Cancel") if under_way or state in ("waiting", "") else self.tr("Remove"))
        place = self._exports.all.index(export) if export is not None else -1
        self.up.setEnabled(place > 0)
        self.down.setEnabled(0 <= place < len(self._exports.all) - 1)
        self.play.setEnabled(row is not None and row.is_video)
        self.folder.setEnabled(row is not None)
        self.new.setEnabled(self._export.isEnabled())
        self.bar.setVisible(under_way)
        self.bar.setRange(0, 0 if row is not None and row.share is None and export is None else 1000)
        self.bar.setValue(round((row.share or 0.0) * 1000) if row is not None else 0)
        if row is None:
            self.note.setText(self.tr("Nothing is exported yet; Export... puts the open file here."))
        else:
            self.note.setText(translated(row.text) or str(row.target))

    def update_figures(self) -> None:
        """Follow what can be exported; called some times a second while visible."""
        self.new.setEnabled(self._export.isEnabled())

    # -- what is done with entries ---------------------------------------------------------------------------

    def _pause(self, name: str) -> None:
        """Pause or resume; beginning again asks before it replaces a file written since."""
        row = self._row(name)
        if row is None:
            return
        begins = row.state in ("interrupted", "failed", "canceled")
        if not begins or self._outputs.may_write(row.target, self.window()):
            self._exports.pause(name)

    def _cancel(self, name: str) -> None:
        row = self._row(name)
        if row is not None and row.export is None:
            self._results.cancel_or_remove(name)
        else:
            self._exports.cancel(name)

    def _play(self, name: str) -> None:
        row = self._row(name)
        if row is not None and row.is_video:
            self._exports.play(row.target)

    def _open_folder(self, name: str) -> None:
        row = self._row(name)
        if row is not None:
            open_outside(row.target.parent, self._messages)
