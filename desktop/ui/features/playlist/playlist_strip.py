"""Filmstrip: a thumbnail for each visible entry with its name and length."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.base.addresses import is_address
from desktop.base.errors import LightloomError
from desktop.media.playlist import Entry
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.playlist.entries import EntriesModel
from desktop.ui.kit import icons
from desktop.ui.kit.drops import accept_copy
from desktop.ui.kit.language import translated
from desktop.ui.kit.thumbnails import Maker, Small, Thumbnails
from desktop.ui.kit.widgets import Themed, format_time
from desktop.ui.workspace.source_kinds import kind_of

if TYPE_CHECKING:
    from desktop.media.thumbnails import Thumbnail

_PICTURE: Final = QSize(128, 72)
_PAD: Final = 6
_SETTLED_MS: Final = 60
Index = QModelIndex | QPersistentModelIndex


def _picture_of(spec: str, bounds: tuple[int, int]) -> Maker:
    def make(wanted: Callable[[], bool]) -> Thumbnail | None:
        # Imported with the first entry: PyAV takes 17 MB, and most windows play no playlist.
        from desktop.media.thumbnails import thumbnail

        return thumbnail(Path(spec), bounds, wanted)

    return make


def has_picture(spec: str) -> bool:
    """True for an entry that can have a thumbnail: a file or folder, not a camera or stream."""
    return Path(spec).is_absolute() and not is_address(spec)


class PlaylistStrip(QListView):
    """The entries in one strip if it is wide, in rows if high; `chosen` has the id of one to play."""

    chosen = Signal(int)

    def __init__(self, player: PlaylistPlayer, themed: Themed) -> None:
        super().__init__()
        self.player = player
        self._shows_pictures = True
        self.entries = EntriesModel(player, self.tip_of)
        self.setModel(self.entries)
        ratio = self.devicePixelRatioF()
        bounds = round(_PICTURE.width() * ratio), round(_PICTURE.height() * ratio)
        self.thumbnails = Thumbnails(partial(self._maker, bounds), self)
        self.thumbnails.made.connect(self._on_made)
        self.setItemDelegate(_Painter(self, themed))
        self.setUniformItemSizes(True)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setAccessibleName(self.tr("Playlist"))
        self.doubleClicked.connect(lambda index: self.chosen.emit(self.entries.entry(index.row()).id))
        # Behind the layout, and once for a wheel that runs over a hundred of them.
        self._settle_timer = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settle_timer.timeout.connect(self._request_visible)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(lambda _: self._settle_timer.start())
            bar.rangeChanged.connect(lambda *_: self._settle_timer.start())
        themed.follow(self.viewport().update)

    def _maker(self, bounds: tuple[int, int], spec: Hashable) -> Maker:
        return _picture_of(str(spec), bounds)

    # -- drops -----------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        self._accept_drag(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        self._accept_drag(event)

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        if event.source() is not self:
            accept_copy(event)

    def _accept_drag(self, event: QDropEvent) -> None:
        # Own entries are moved; external ones are copied.
        if event.isAccepted() and event.source() is not self:
            accept_copy(event)

    # -- following the list ----------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the list as it is; the selection stays with its entries."""
        chosen, current = set(self.selected_ids), self.current_id
        self.entries.refresh()
        if set(self.selected_ids) != chosen or self.current_id != current:
            self.select(chosen, current)
        self._settle_timer.start()

    @property
    def selected_ids(self) -> list[int]:
        """The entries that are selected, in the list's order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return [self.entries.entry(row).id for row in rows]

    @property
    def current_id(self) -> int | None:
        """The entry that the keys are at."""
        index = self.currentIndex()
        return self.entries.entry(index.row()).id if index.isValid() else None

    def select(self, ids: set[int], current: int | None) -> None:
        """Select these, with the keys at one of them."""
        selection = self.selectionModel()
        selection.clearSelection()
        rows = {entry.id: row for row, entry in enumerate(self.player.list.entries)}
        if current in rows:
            selection.setCurrentIndex(self.entries.index(rows[current]), selection.SelectionFlag.NoUpdate)
        for entry_id in ids & rows.keys():
            selection.select(self.entries.index(rows[entry_id]), selection.SelectionFlag.Select)

    def reveal(self, entry_id: int | None) -> None:
        """Scroll to an entry."""
        row = self.player.list.place(entry_id)
        if row >= 0:
            self.scrollTo(self.entries.index(row))

    # -- the small images ------------------------------------------------------------------------------------

    def visible_entries(self) -> list[Entry]:
        """Return the entries that are visible now, in part at least."""
        area = self.viewport().rect()
        if not self.isVisible() or not self.entries.rowCount():
            return []
        found: list[Entry] = []
        first = self._first_row(area)
        for row in range(first, self.entries.rowCount()):
            if not self.visualRect(self.entries.index(row)).intersects(area):
                break
            found.append(self.entries.entry(row))
        return found

    def _first_row(self, area: QRect) -> int:
        """Return the first visible row, by binary search: there may be ten thousand rows."""
        low, high = 0, self.entries.rowCount() - 1
        while low < high:
            middle = (low + high) // 2
            rect = self.visualRect(self.entries.index(middle))
            before = rect.bottom() < area.top() or (
                rect.top() <= area.bottom() and rect.right() < area.left()
            )
            low, high = (middle + 1, high) if before else (low, middle)
        return low

    @property
    def shows_pictures(self) -> bool:
        """False while redaction is on: thumbnails are made from the original files."""
        return self._shows_pictures

    @shows_pictures.setter
    def shows_pictures(self, shows: bool) -> None:
        if shows != self._shows_pictures:
            self._shows_pictures = shows
            self._settle_timer.start()
            self.viewport().update()

    def _request_visible(self) -> None:
        visible_entries = self.visible_entries() if self._shows_pictures else ()
        self.thumbnails.want([entry.spec for entry in visible_entries if has_picture(entry.spec)])

    def _on_made(self, spec: str) -> None:
        found = self.thumbnails.get(spec)
        if isinstance(found, Small) and found.seconds:
            self.player.learn_length(spec, found.seconds)
        self.viewport().update()

    def tip_of(self, entry: Entry) -> str:
        """Return the tool tip of an entry: its name, and why it has no thumbnail."""
        why = self.player.list.failure_reason(entry.id)
        found = self.thumbnails.get(entry.spec)
        if not why and isinstance(found, LightloomError):
            why = str(found)
        return "\n".join(part for part in (entry.title, translated(why)) if part)

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to the current entry, and make the visible thumbnails."""
        super().showEvent(event)
        self.reveal(self.player.shown)
        self._settle_timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Switch between a strip and rows by the size, and keep the current entry visible."""
        strip = self.viewport().height() < 2 * self.cell.height()
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(not strip)
        super().resizeEvent(event)
        self.reveal(self.player.shown)
        self._settle_timer.start()

    @property
    def cell(self) -> QSize:
        """The size of an entry."""
        text = self.fontMetrics().height()
        return QSize(_PICTURE.width() + 2 * _PAD, _PICTURE.height() + 2 * _PAD + text + 4)

    # -- keys ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter plays, Delete takes out, Alt with an arrow moves."""
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        back = (Qt.Key.Key_Up, Qt.Key.Key_Left)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_id is not None:
            self.chosen.emit(self.current_id)
        elif key == Qt.Key.Key_Delete and self.selected_ids:
            self.remove_selected()
        elif alt and key in (*back, Qt.Key.Key_Down, Qt.Key.Key_Right):
            self.move_selected(-1 if key in back else 1)
        else:
            super().keyPressEvent(event)

    def remove_selected(self) -> None:
        """Remove the selected entries and focus the one after them."""
        ids = self.selected_ids
        if not ids:
            return
        row = self.player.list.place(ids[0])
        self.player.remove(ids)
        left = self.entries.rowCount()
        if left:
            self.setCurrentIndex(self.entries.index(min(row, left - 1)))

    def move_selected(self, by: int) -> None:
        """Move the selected entries by one position."""
        ids = self.selected_ids
        places = [self.player.list.place(each) for each in ids]
        if places:
            to = places[0] - 1 if by < 0 else places[-1] + 2
            self.player.move(ids, max(0, to))
            self.reveal(self.current_id)

    def shutdown(self) -> None:
        """Stop making thumbnails."""
        self._settle_timer.stop()
        self.thumbnails.close()


class _Painter(QStyledItemDelegate):
    """Paints an entry."""

    def __init__(self, strip: PlaylistStrip, themed: Themed) -> None:
        super().__init__(strip)
        self._strip, self._themed = strip, themed

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self._strip.cell

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, strip = self._themed.theme, self._strip
        entry = strip.entries.entry(index.row())
        painter.save()
        on_screen = entry.id == strip.player.shown
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.selected))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(theme.hover))
        box = QRect(option.rect.left() + _PAD, option.rect.top() + _PAD, _PICTURE.width(), _PICTURE.height())
        self._paint_picture(painter, box, entry)
        if on_screen or option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(theme.accent))
            painter.drawRect(box.adjusted(-2, -2, 1, 1))
            if on_screen:
                painter.drawRect(box.adjusted(-1, -1, 0, 0))
        self._paint_name(painter, option, box, entry, on_screen=on_screen)
        painter.restore()

    def _paint_picture(self, painter: QPainter, box: QRect, entry: Entry) -> None:
        theme = self._themed.theme
        painter.fillRect(box, QColor(theme.ground))
        found = self._strip.thumbnails.get(entry.spec)
        broken = self._strip.player.list.failure_reason(entry.id) or isinstance(found, LightloomError)
        if isinstance(found, Small) and not broken and self._strip.shows_pictures:
            size = found.image.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
            at = QRect(
                box.center().x() - size.width() // 2 + 1, box.center().y() - size.height() // 2 + 1, 0, 0
            )
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRect(at.topLeft(), size), found.image)
        else:
            name, color = ("error", theme.error) if broken else (kind_of(entry.spec), theme.muted)
            icon = icons.pixmap(name, color, 24, painter.device().devicePixelRatioF())
            painter.drawPixmap(box.center().x() - 12, box.center().y() - 12, icon)
        if entry.seconds:
            self._paint_length(painter, box, format_time(entry.seconds))

    def _paint_length(self, painter: QPainter, box: QRect, text: str) -> None:
        metrics = QFontMetrics(painter.font())
        room = QRect(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height())
        room.moveBottomRight(box.bottomRight())
        painter.fillRect(room, QColor(0, 0, 0, 170))
        painter.setPen(QColor(255, 255, 255))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_name(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, entry: Entry, *, on_screen: bool
    ) -> None:
        font = QWidget.font(self._strip)
        font.setBold(on_screen)
        painter.setFont(font)
        room = QRect(box.left(), box.bottom() + 3, box.width(), QFontMetrics(font).height())
        text = QFontMetrics(font).elidedText(entry.title, Qt.TextElideMode.ElideMiddle, room.width())
        broken = self._strip.player.list.failure_reason(entry.id)
        painter.setPen(QColor(self._themed.theme.muted if broken else self._themed.theme.text))
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, text)
