"""Panel of exports: their progress, and actions on the selected one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.ui.features.exports.exports import Exports
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import NoteLabel, column, format_time
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.outputs.export_queue import Export

_ID: Final = Qt.ItemDataRole.UserRole
_STATE_WIDTH, _LEFT_WIDTH = 130, 150


class ExportsPanel(QWidget):
    """The queue as a list, with buttons for the selected entry."""

    def __init__(self, workspace: Workspace, export: QAction) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._exports = workspace.get(Exports)
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
        self.pause = self._button(self.tr("Pause"), lambda name: self._exports.pause(name))
        self.up = self._button(self.tr("Up"), lambda name: self._exports.move(name, -1))
        self.down = self._button(self.tr("Down"), lambda name: self._exports.move(name, 1))
        self.cancel = self._button(self.tr("Cancel"), lambda name: self._exports.cancel(name))
        self.folder = self._button(self.tr("Open folder"), self._open_folder)
        self.new = QPushButton(export.text().replace("&", ""))
        self.new.clicked.connect(export.trigger)
        self._export = export
        layout = column(self, 6, 6)
        layout.addWidget(self.list, 1)
        said = QHBoxLayout()
        said.addWidget(self.note, 1)
        said.addWidget(self.bar)
        # In a row of its own: six buttons would not fit into a small window.
        said.addWidget(self.new)
        layout.addLayout(said)
        row = QHBoxLayout()
        for button in (self.pause, self.up, self.down, self.cancel, self.folder):
            row.addWidget(button)
        row.addStretch(1)
        layout.addLayout(row)
        self.setMinimumHeight(170)
        self._exports.changed.connect(self.refresh)
        self.list.currentItemChanged.connect(lambda *_: self._show_selected())
        self._exports.begin()
        self.refresh()

    def _list(self) -> QTreeWidget:
        found = QTreeWidget()
        found.setColumnCount(3)
        found.setHeaderLabels([self.tr("File"), self.tr("State"), self.tr("Time left")])
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
            export = self.selected
            if export is not None and callable(act):
                act(export.job.id)

        button.clicked.connect(clicked)
        return button

    # -- what is shown ---------------------------------------------------------------------------------------

    @property
    def selected(self) -> Export | None:
        """The entry that is selected."""
        item = self.list.currentItem()
        name = item.data(0, _ID) if item is not None else ""
        return next((each for each in self._exports.all if each.job.id == name), None)

    def refresh(self) -> None:
        """Show the current queue; the selection stays with its entry."""
        names = [each.job.id for each in self._exports.all]
        items = [self.list.topLevelItem(n) for n in range(self.list.topLevelItemCount())]
        shown = [item.data(0, _ID) for item in items if item is not None]
        if names != shown:
            self._fill(names)
        for place, export in enumerate(self._exports.all):
            item = self.list.topLevelItem(place)
            if item is None:
                continue
            item.setText(0, export.job.target.name)
            item.setToolTip(0, str(export.job.target))
            item.setText(1, self._state_text(export))
            item.setText(2, self._left_text(export))
        self._show_selected()

    def _fill(self, names: list[str]) -> None:
        chosen = self.list.currentItem()
        kept = chosen.data(0, _ID) if chosen is not None else ""
        added = names[-1] if names and self.list.topLevelItemCount() < len(names) else kept
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

    def _state_text(self, export: Export) -> str:
        said = self._states[export.state]
        return (
            f"{said}, {export.share:.0%}" if export.state in ("running", "paused") and export.total else said
        )

    def _left_text(self, export: Export) -> str:
        left = export.seconds_left if export.state in ("running", "paused") else None
        if left is None:
            return ""
        size = export.bytes_in_all
        about = self.tr("about {0} MB").format(decimal(size / 1e6, 1)) if size else ""
        return ", ".join(part for part in (format_time(left), about) if part)

    def _show_selected(self) -> None:
        export = self.selected
        state = export.state if export is not None else ""
        under_way = state in ("running", "paused")
        self.pause.setEnabled(under_way or state in ("interrupted", "failed", "canceled"))
        self.pause.setText(
            self.tr("Pause")
            if state in ("running", "waiting", "")
            else self.tr("Continue")
            if state == "paused"
            else self.tr("Begin again")
        )
        self.cancel.setEnabled(export is not None)
        self.cancel.setText(self.tr("Cancel") if under_way or state in ("waiting", "") else self.tr("Remove"))
        place = self._exports.all.index(export) if export is not None else -1
        self.up.setEnabled(place > 0)
        self.down.setEnabled(0 <= place < len(self._exports.all) - 1)
        self.folder.setEnabled(export is not None)
        self.new.setEnabled(self._export.isEnabled())
        self.bar.setVisible(under_way)
        self.bar.setValue(round(export.share * 1000) if export is not None else 0)
        if export is None:
            self.note.setText(self.tr("Nothing is exported yet; Export... puts the open file here."))
        else:
            self.note.setText(translated(export.text) or str(export.job.target))

    def update_figures(self) -> None:
        """Follow what can be exported; called some times a second while visible."""
        self.new.setEnabled(self._export.isEnabled())

    def _open_folder(self, name: str) -> None:
        export = next((each for each in self._exports.all if each.job.id == name), None)
        if export is not None:
            folder: Path = export.job.target.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
