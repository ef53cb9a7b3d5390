"""Rows of the list of events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPixmap, QPixmapCache

from desktop.ui.features.event_list.event_list import Entry
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import format_time

ENTRY: Final = Qt.ItemDataRole.UserRole
THUMBNAIL: Final = QSize(72, 40)
_NO_INDEX: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class EventModel(QAbstractTableModel):
    """Entries with a thumbnail and a sentence, class, zone, local time and position in the video."""

    def __init__(self, titles: tuple[str, ...], ratio: float) -> None:
        super().__init__()
        self._titles, self._ratio = titles, ratio
        self.entries: tuple[Entry, ...] = ()

    def show(self, entries: Sequence[Entry]) -> None:
        """Show other entries; those added in front keep the selection."""
        entries = tuple(entries)
        before = tuple(entry.number for entry in self.entries)
        numbers = tuple(entry.number for entry in entries)
        added = len(numbers) - len(before)
        if added > 0 and numbers[added:] == before:
            self.beginInsertRows(QModelIndex(), 0, added - 1)
            self.entries = entries
            self.endInsertRows()
        elif numbers == before:
            self.entries = entries
        else:
            self.beginResetModel()
            self.entries = entries
            self.endResetModel()
            return
        if entries:
            self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, 0))

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        """See QAbstractItemModel."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: _Index = _NO_INDEX) -> int:
        """See QAbstractItemModel."""
        return 0 if parent.isValid() else len(self._titles)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """See QAbstractItemModel."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See QAbstractItemModel."""
        if not 0 <= index.row() < len(self.entries):
            return None
        entry, column = self.entries[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(entry)[column]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _cells(entry)[column] or self._titles[column]
        if role == ENTRY:
            return entry
        if role == Qt.ItemDataRole.ToolTipRole and column == 0:
            return "\n".join(filter(None, _cells(entry)))
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return self._thumbnail(entry)
        return None

    def _thumbnail(self, entry: Entry) -> QPixmap:
        """Return the thumbnail in the size of a row; an empty one keeps the texts aligned."""
        size = THUMBNAIL * self._ratio
        key = f"event {id(self)} {entry.number} {len(entry.thumbnail)}"
        found = QPixmap()
        if QPixmapCache.find(key, found):
            return found
        canvas = QPixmap(size)
        canvas.fill(Qt.GlobalColor.transparent)
        image = QPixmap()
        if entry.thumbnail and image.loadFromData(entry.thumbnail, "JPG"):
            canvas = image.scaled(
                size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        canvas.setDevicePixelRatio(self._ratio)
        QPixmapCache.insert(key, canvas)
        return canvas


def _cells(entry: Entry) -> tuple[str, ...]:
    event = entry.event
    at = "" if entry.is_live else format_time(event.occurrence.pts)
    return (
        translated(event.occurrence.text()),
        event.occurrence.label,
        event.occurrence.zone,
        local_time(event.time),
        at,
    )


def local_time(time: datetime) -> str:
    """Return a time as shown: without the date if it is today's."""
    local = time.astimezone()
    is_today = local.date() == datetime.now().astimezone().date()
    return f"{local:%H:%M:%S}" if is_today else f"{local:%Y-%m-%d %H:%M:%S}"
