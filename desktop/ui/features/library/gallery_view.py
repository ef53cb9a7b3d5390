"""The gallery's list of tiles or rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDrag,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyleOptionViewItem

from desktop.pipeline.chain.spec import ChainSpec
from desktop.ui.features.library.gallery_model import GalleryModel, Index
from desktop.ui.features.library.items import GalleryItem
from desktop.ui.features.library.live_previews import PLAIN, LivePreviews
from desktop.ui.features.library.tile_painter import TilePainter, TileParts, row_size, tile_of, tile_size
from desktop.ui.kit.widgets import Themed

_COLUMN: Final = 150
_SETTLED_MS: Final = 50
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_DELETE: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class GalleryView(QListView):
    """Shows items as tiles, at least two beside each other, or as rows.

    Signals:
        chosen: an item is to be used: Enter, a double click.
        added: an item's button was clicked, a plus for most.
        starred: an item's star was clicked, or the cross in its place.
        removed: an item is to be removed: Delete.
        pointed: the item under the pointer; None beside all.
        typed: a character that belongs into the search.
        menu_requested: an item, and where its menu is to open.
    """

    chosen = Signal(object)
    added = Signal(object)
    starred = Signal(object)
    removed = Signal(object)
    pointed = Signal(object)
    typed = Signal(str)
    menu_requested = Signal(object, QPoint)

    def __init__(self, model: GalleryModel, previews: LivePreviews, themed: Themed) -> None:
        super().__init__()
        self._items, self._previews = model, previews
        self.setModel(model)
        self._painter = TilePainter(previews, themed, lambda: self.cell, self)
        self.setItemDelegate(self._painter)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        # Behind the layout, and once for a wheel that runs over many.
        self._settled = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settled.timeout.connect(self._request_visible)
        self.verticalScrollBar().valueChanged.connect(self._on_moved)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._settled.start())
        model.modelReset.connect(self._on_moved)
        model.dataChanged.connect(self._on_changed)
        previews.made.connect(self._on_made)
        previews.cleared.connect(self.viewport().update)
        previews.dimmed.connect(self.viewport().update)
        self.customContextMenuRequested.connect(self._request_menu)
        themed.follow(self.viewport().update)
        self.set_rows(False)

    # -- tiles or rows ---------------------------------------------------------------------------------------

    def set_rows(self, rows: bool) -> None:
        """Show rows, or tiles."""
        self._painter.is_row = rows
        self.setViewMode(QListView.ViewMode.ListMode if rows else QListView.ViewMode.IconMode)
        # A view mode sets its own defaults.
        self.setMovement(QListView.Movement.Static)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self._fit()

    @property
    def shows_rows(self) -> bool:
        """Whether items are rows."""
        return self._painter.is_row

    @property
    def columns(self) -> int:
        """The number of tiles beside each other."""
        return 1 if self.shows_rows else max(2, self._usable_width // _COLUMN)

    @property
    def _usable_width(self) -> int:
        # With the scroll bar, which would else come and go with the width that it takes.
        return self.width() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)

    @property
    def cell(self) -> QSize:
        """The size of an item."""
        line = self.fontMetrics().height()
        return (
            row_size(self._usable_width, line)
            if self.shows_rows
            else tile_size(self._usable_width // self.columns, line)
        )

    def _fit(self) -> None:
        self.setGridSize(self.cell)
        self.scheduleDelayedItemsLayout()
        self._settled.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    # -- previews --------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Request the previews of what is visible."""
        super().showEvent(event)
        self._settled.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Request no previews."""
        super().hideEvent(event)
        self._settled.start()
        self.pointed.emit(None)

    def visible_items(self) -> list[GalleryItem]:
        """Return the items that are visible now, in part at least."""
        if not self.isVisible():
            return []
        area, cell = self.viewport().rect(), self.cell
        top = self.verticalScrollBar().value()
        first = max(0, top // max(cell.height(), 1)) * self.columns
        count = (area.height() // max(cell.height(), 1) + 2) * self.columns
        return list(self._items.items[first : first + count])

    def _request_visible(self) -> None:
        items = self.visible_items()
        chains = {item.key: item.chain for item in items if item.chain is not None and not item.obstacle}
        if any(item.obstacle for item in items):
            chains[PLAIN] = ChainSpec()
        networks = {item.key: item.request for item in items if item.request is not None}
        self._previews.want(chains, networks, self.devicePixelRatioF())

    def refresh_previews(self) -> None:
        """Request again what is visible."""
        self._settled.start()

    def _on_moved(self) -> None:
        self.pointed.emit(None)
        self._settled.start()

    def _on_changed(self, _first: QModelIndex, _last: QModelIndex, roles: Sequence[int]) -> None:
        """Request what items of another state show: their chains were read, or a network was downloaded."""
        if Qt.ItemDataRole.DecorationRole not in roles:
            self._settled.start()

    def _on_made(self, key: str) -> None:
        if not self.isVisible():
            return
        row = self._items.row_of(key)
        if row >= 0:
            self._items.repaint(row)
        else:
            self.viewport().update()  # the plain frame, which several have

    # -- the pointer -----------------------------------------------------------------------------------------

    def tile(self, index: Index) -> TileParts:
        """Return where the parts of an item are in the viewport."""
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        rect = QRect(self.visualRect(index).topLeft(), self.cell)
        return tile_of(rect, is_row=self.shows_rows, line=option.fontMetrics.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Press a button of an item, or select it."""
        at, index = event.position().toPoint(), self.indexAt(event.position().toPoint())
        item = self._items.item(index)
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            tile = self.tile(index)
            if tile.plus.contains(at):
                self.setCurrentIndex(index)
                self.added.emit(item)
                return
            if tile.star.contains(at):
                self.starred.emit(item)
                return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Use an item."""
        at = event.position().toPoint()
        index = self.indexAt(at)
        item = self._items.item(index)
        if item is None or event.button() != Qt.MouseButton.LeftButton:
            return
        tile = self.tile(index)
        if tile.star.contains(at):
            self.starred.emit(item)
        elif tile.plus.contains(at):
            self.added.emit(item)
        else:
            self.chosen.emit(item)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Report the item under the pointer."""
        super().mouseMoveEvent(event)
        held = event.buttons() != Qt.MouseButton.NoButton
        index = self.indexAt(event.position().toPoint())
        self.pointed.emit(None if held else self._items.item(index))

    def viewportEvent(self, event: QEvent) -> bool:
        """Report that the pointer is elsewhere, on the scroll bar say."""
        if event.type() == QEvent.Type.Leave:
            self.pointed.emit(None)
        return bool(super().viewportEvent(event))

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag an item by its image."""
        index = self.currentIndex()
        if not index.isValid():
            return
        self.pointed.emit(None)
        drag = QDrag(self)
        drag.setMimeData(self._items.mimeData([index]))
        drag.setPixmap(self._drag_image(index))
        drag.exec(Qt.DropAction.CopyAction)

    def _drag_image(self, index: QModelIndex) -> QPixmap:
        ratio = self.devicePixelRatioF()
        box = QRect(self.visualRect(index).topLeft(), self.cell)
        image = QPixmap(box.size() * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = QRect(QPoint(0, 0), box.size())
        painter = QPainter(image)
        self._painter.paint(painter, option, index)
        painter.end()
        return image

    def _request_menu(self, at: QPoint) -> None:
        item = self._items.item(self.indexAt(at))
        if item is not None:
            self.menu_requested.emit(item, self.viewport().mapToGlobal(at))

    # -- keys ------------------------------------------------------------------------------------------------

    @property
    def current(self) -> GalleryItem | None:
        """The item that the keys are at."""
        return self._items.item(self.currentIndex())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the first item."""
        super().focusInEvent(event)
        if self.current is None and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.select(0)

    def select(self, row: int) -> None:
        """Select a row, or the nearest."""
        last = self._items.rowCount() - 1
        if last >= 0:
            self.setCurrentIndex(self._items.index(max(0, min(row, last))))

    def event(self, event: QEvent) -> bool:
        """Keep letters and digits from the window's shortcuts: they go to the search."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _types(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Use the item on Enter, remove it on Delete; letters and digits go to the search."""
        if event.key() in _ENTER and self.current is not None:
            self.chosen.emit(self.current)
        elif event.key() in _DELETE and self.current is not None:
            self.removed.emit(self.current)
        elif _types(event):
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)


def _types(event: QKeyEvent) -> bool:
    """Return True for a letter or a digit without a modifier but Shift."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    return not held and event.text().isalnum()
