"""The gallery's items as a Qt model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QUrl,
)

from desktop.ui.features.library.items import GalleryItem
from desktop.ui.kit.drops import FILTER_MIME, PRESET_MIME

_URLS: Final = "text/uri-list"

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()

ITEM: Final = Qt.ItemDataRole.UserRole
"""The role of the `GalleryItem`."""


class GalleryModel(QAbstractListModel):
    """A list of items; drags carry a filter's id, a preset's path, or a network's file."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._items: tuple[GalleryItem, ...] = ()

    @property
    def items(self) -> tuple[GalleryItem, ...]:
        """The items in their order."""
        return self._items

    def set_items(self, items: Sequence[GalleryItem]) -> bool:
        """Show other items; return False if they are the same ones, of which some may have another state."""
        before, self._items = self._items, tuple(items)
        if [item.key for item in before] == [item.key for item in self._items]:
            changed = [row for row, item in enumerate(before) if item != self._items[row]]
            if changed:
                self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
            return False
        self._items = before
        self.beginResetModel()
        self._items = tuple(items)
        self.endResetModel()
        return True

    def item(self, index: Index) -> GalleryItem | None:
        """Return the item at an index, None for an invalid one."""
        return self._items[index.row()] if index.isValid() else None

    def row_of(self, key: str) -> int:
        """Return the row of an item by its key, -1 if it is not there."""
        return next((row for row, item in enumerate(self._items) if item.key == key), -1)

    def repaint(self, row: int) -> None:
        """Report that the image of a row is another one."""
        index = self.index(row)
        self.dataChanged.emit(index, index, [Qt.ItemDataRole.DecorationRole])

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.item(index)
        if item is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return item.title
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(item)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(item)
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return item.help
            case role if role == ITEM:
                return item
        return None

    @staticmethod
    def _tip(item: GalleryItem) -> str:
        error = item.network.error if item.network is not None else ""
        return "\n".join(part for part in (item.title, item.facts, item.help, error) if part)

    def _spoken(self, item: GalleryItem) -> str:
        kinds = {
            "preset": self.tr("Look"),
            "effect": self.tr("Effect"),
            "network": self.tr("Network"),
        }
        star = self.tr("Favorite") if item.is_favorite else ""
        used = self.tr("In use") if item.is_used else ""
        error = item.network.error if item.network is not None else ""
        parts = (item.title, kinds[item.kind], item.facts, used, star, error)
        return ", ".join(part for part in parts if part)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flag, item = Qt.ItemFlag, self._items[index.row()]
        draggable = item.kind == "effect" or item.path is not None
        return flag.ItemIsEnabled | flag.ItemIsSelectable | (flag.ItemIsDragEnabled if draggable else flag(0))

    def mimeTypes(self) -> list[str]:
        return [FILTER_MIME, PRESET_MIME, _URLS]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        item = self.item(indexes[0]) if indexes else None
        if item is not None and item.kind == "network":
            data.setUrls([QUrl.fromLocalFile(str(item.path))])
        elif item is not None:
            mime = FILTER_MIME if item.kind == "effect" else PRESET_MIME
            data.setData(mime, (str(item.path) if item.path is not None else item.name).encode())
        return data
