"""Table of the network's results for the frame shown."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QHideEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QProgressBar,
    QPushButton,
    QTreeView,
    QWidget,
)

from desktop.base.printable import printable
from desktop.outputs.detections import Row, rows_of
from desktop.outputs.journal import PictureRecord
from desktop.ui.features.results.chosen import Chosen
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.kit.widgets import NoteLabel, Themed, column, format_time
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.tasks.shapes import Box
from desktop.vision.tracking.scene import TrackedResult

_INDEX: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SORT: Final = Qt.ItemDataRole.UserRole
_WIDTHS: Final = (0, 64, 64, 52, 52, 52, 56, 76)
# More than anybody reads: a network that finds thousands must not slow the window.
_MOST: Final = 1000
# Minimum visible width of a name, in logical pixels; more if the title needs it.
_NAME: Final = 100


def rows_now(tracked_result: TrackedResult) -> tuple[Row, ...]:
    """Return the rows of a tracked result, as in an exported table."""
    record = PictureRecord("", "", 0, tracked_result.pts, tracked_result.size, tracked_result.shapes[:_MOST])
    return tuple(rows_of(record))


class ResultsModel(QAbstractTableModel):
    """Rows of a table, and how they are shown and sorted."""

    def __init__(self, titles: tuple[str, ...]) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()
        self._titles = titles
        # Made once per frame, because sorting requests them repeatedly.
        self._cells: list[tuple[str, ...]] = []
        self._keys: list[tuple[Any, ...]] = []

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show other rows. The same number of rows is changed in place, to keep the selection."""
        if rows == self.rows:
            return
        before, self.rows = len(self.rows), rows
        self._cells, self._keys = [shown(row) for row in rows], [sorted_by(row) for row in rows]
        if len(rows) > before:
            self.beginInsertRows(_INDEX, before, len(rows) - 1)
            self.endInsertRows()
        elif len(rows) < before:
            self.beginRemoveRows(_INDEX, len(rows), before - 1)
            self.endRemoveRows()
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self._titles) - 1))

    def rowCount(self, parent: Any = _INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Any = _INDEX) -> int:
        return 0 if parent.isValid() else len(self._titles)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return _RIGHT if section and role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not 0 <= index.row() < len(self.rows):
            return None
        row, place = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells[row][place]
        if role == _SORT:
            return self._keys[row][place]
        if role == Qt.ItemDataRole.TextAlignmentRole and place:
            return _RIGHT
        return None


def shown(row: Row) -> tuple[str, ...]:
    """Return a row's cells as text: class, score, identity, left, top, width, height, time."""
    return (
        printable(row.label),
        "" if row.score is None else f"{row.score * 100:.1f} %",
        "" if row.identity is None else str(row.identity),
        *("" if value is None else f"{value:.0f}" for value in _box(row)),
        "" if row.pts is None else format_time(row.pts, millis=True),
    )


def sorted_by(row: Row) -> tuple[Any, ...]:
    """Return the sort keys of a row's cells."""
    numbers = (row.score, row.identity, *_box(row), row.pts)
    return (row.label.casefold(), *(float("-inf") if number is None else float(number) for number in numbers))


def _box(row: Row) -> tuple[float | None, ...]:
    if row.left is None or row.top is None or row.right is None or row.bottom is None:
        return (None, None, None, None)
    return (row.left, row.top, row.right - row.left, row.bottom - row.top)


def _place(row: Row) -> Box | None:
    """Return the box of a row's detection, in fractions of the frame; None for a class of the whole image."""
    if row.left is None or row.top is None or row.right is None or row.bottom is None:
        return None
    width, height = max(row.width, 1), max(row.height, 1)
    edges = (row.left / width, row.top / height, row.right / width, row.bottom / height)
    return Box("", row.index, *edges, identity=row.identity)


class _Table(QTreeView):
    """A table whose first column takes the remaining width."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll if the others leave the first column too little; Qt's stretching would shrink it."""
        super().resizeEvent(event)
        header = self.header()
        if not header.count():
            return
        others = sum(header.sectionSize(place) for place in range(1, header.count()))
        least = max(_NAME, header.sectionSizeHint(0))
        stretches = header.width() - others >= least
        mode = QHeaderView.ResizeMode
        header.setSectionResizeMode(0, mode.Stretch if stretches else mode.Interactive)
        if not stretches:
            header.resizeSection(0, least)


class ResultsPanel(QWidget):
    """The dock's content: the table, and beneath it the export and how far it is."""

    def __init__(self, workspace: Workspace, themed: Themed, export: QAction) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace = workspace
        titles = (
            *(self.tr("Class"), self.tr("Score"), self.tr("Identity")),
            *(self.tr("Left"), self.tr("Top"), self.tr("Width"), self.tr("Height"), self.tr("Time")),
        )
        self.model = ResultsModel(titles)
        self._titles = titles
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.model)
        self._sorted.setSortRole(_SORT)
        self._sorted.setDynamicSortFilter(True)
        self.table = self._table()
        self.note = NoteLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("How far the export is"))
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.setToolTip(self.tr("End the export; nothing is written"))
        self.stop.clicked.connect(workspace.get(ResultsExport).cancel)
        self.begin = QPushButton(export.text().replace("&", ""))
        self.begin.clicked.connect(export.trigger)
        self._export = export
        layout = column(self, 6, 6)
        layout.addWidget(self.table, 1)
        row = QHBoxLayout()
        row.addWidget(self.note, 1)
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop)
        row.addWidget(self.begin)
        layout.addLayout(row)
        self.setMinimumHeight(150)
        workspace.get(ResultsExport).changed.connect(self._show_export)
        self._show_export()

    def _table(self) -> QTreeView:
        table = _Table()
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setModel(self._sorted)
        table.setSortingEnabled(True)
        table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setAccessibleName(self.tr("What the network sees"))
        header = table.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(48)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in range(1, len(self._titles)):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Interactive)
            # The title may be longer in another language.
            header.resizeSection(place, max(_WIDTHS[place], header.sectionSizeHint(place)))
        table.selectionModel().selectionChanged.connect(self._point_out)
        copy = QAction(self.tr("Copy"), table)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.triggered.connect(self.copy)
        table.addAction(copy)
        return table

    # -- what is shown ---------------------------------------------------------------------------------------

    def update_figures(self) -> None:
        """Show the current results; called several times a second while visible."""
        tracked_result = self._workspace.engine.current.tracked_result
        looks = self._workspace.edits.setup.analysis is not None and self._workspace.playback.has_picture
        rows = rows_now(tracked_result) if tracked_result is not None and looks else ()
        self.model.show_rows(rows)
        self._point_out()
        self._show_export()

    def _show_export(self) -> None:
        export = self._workspace.get(ResultsExport)
        for widget in (self.bar, self.stop):
            widget.setVisible(export.is_running)
        self.begin.setVisible(not export.is_running)
        self.begin.setEnabled(export.can_begin)
        self.bar.setRange(0, 1000 if export.share else 0)
        self.bar.setValue(round(export.share * 1000))
        if export.plan is not None:
            said = self.tr("Exporting to {0}:").format(export.plan.target.name)
            self.note.setText(f"{said} {self.tr('%n frames', '', export.pictures)}")
        elif self._workspace.edits.setup.analysis is None:
            self.note.setText(self.tr("No network is running."))
        elif not self._workspace.playback.has_picture:
            self.note.setText("")
        elif not self.model.rows:
            self.note.setText(self.tr("Nothing is detected in this image."))
        else:
            self.note.setText(self.tr("%n rows", "", len(self.model.rows)))

    def _point_out(self) -> None:
        """Highlight the detections of the selected rows on the frame."""
        chosen = [] if self.isHidden() else self.table.selectionModel().selectedRows()
        rows = (self.model.rows[self._sorted.mapToSource(index).row()] for index in chosen)
        self._workspace.get(Chosen).choose(tuple(box for row in rows if (box := _place(row)) is not None))

    def hideEvent(self, event: QHideEvent) -> None:
        """Clear the highlights."""
        super().hideEvent(event)
        self._workspace.get(Chosen).choose(())

    # -- copying ---------------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy the selected rows, or all, to the clipboard as tab-separated text."""
        chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        places = chosen or range(self._sorted.rowCount())
        lines = ["\t".join(self._titles)]
        for place in places:
            row = self.model.rows[self._sorted.mapToSource(self._sorted.index(place, 0)).row()]
            lines.append("\t".join(shown(row)))
        QGuiApplication.clipboard().setText("\n".join(lines) + "\n")

    def select_all(self) -> None:
        """Select all rows."""
        self.table.selectionModel().clear()
        self.table.selectAll()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy."""
        menu = QMenu(self)
        menu.addAction(self.tr("Copy"), self.copy)
        menu.addAction(self.tr("Select all"), self.select_all)
        menu.popup(event.globalPos())
