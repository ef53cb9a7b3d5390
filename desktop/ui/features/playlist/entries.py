"""The playlist as a Qt model: a row per entry, which can be dragged; dropped files are inserted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.media.playlist import Entry
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.kit.drops import local_path
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import format_time

_MIME: Final = "application/x-lightloom-entries"
_NONE: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class EntriesModel(QAbstractListModel):
    """The playlist's entries, none opened; `dropped` has paths and addresses, and their position."""

    dropped = Signal(object, int)

    def __init__(self, player: PlaylistPlayer, tip: Callable[[Entry], str]) -> None:
        super().__init__()
        self._player, self._tip = player, tip
        self._entries: tuple[Entry, ...] = player.list.entries

    def refresh(self) -> None:
        """Show the list as it is now."""
        now = self._player.list.entries
        if [entry.id for entry in now] == [entry.id for entry in self._entries]:
            self._entries = now
            if now:
                self.dataChanged.emit(self.index(0), self.index(len(now) - 1))
            return
        self.beginResetModel()
        self._entries = now
        self.endResetModel()

    def entry(self, row: int) -> Entry:
        """Return a row's entry."""
        return self._entries[row]

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(entry)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = [f"{index.row() + 1}. {entry.title}", format_time(entry.seconds) if entry.seconds else ""]
            parts.append(self.tr("on screen") if entry.id == self._player.shown else "")
            parts.append(translated(self._player.list.failure_reason(entry.id)))
            return ", ".join(part for part in parts if part)
        return None

    # -- dragging --------------------------------------------------------------------------------------------

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return [_MIME, "text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        ids = [self._entries[index.row()].id for index in indexes]
        data.setData(_MIME, QByteArray(json.dumps(ids).encode()))
        return data

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        return data.hasFormat(_MIME) or data.hasUrls()

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        at = row if row >= 0 else parent.row() if parent.isValid() else len(self._entries)
        if data.hasFormat(_MIME):
            try:
                ids = json.loads(bytes(data.data(_MIME).data()))
            except ValueError:
                return False
            if not isinstance(ids, list):
                return False
            self._player.move([number for number in ids if isinstance(number, int)], at)
        else:
            self.dropped.emit([local_path(url) or url.toString() for url in data.urls()], at)
        # The view would remove the moved rows, which the list has done already.
        return False
