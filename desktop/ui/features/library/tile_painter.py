"""Paint the gallery's items: a tile with the name below, or a row with a small image beside the name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.features.library.gallery_model import ITEM, Index
from desktop.ui.features.library.items import GalleryItem
from desktop.ui.features.library.live_previews import PLAIN, LivePreviews
from desktop.ui.kit import icons
from desktop.ui.kit.widgets import Themed

_GAP: Final = 5
_RADIUS: Final = 6.0
_BUTTON: Final = 20
_ROW_IMAGE: Final = QSize(56, 32)
_STAR: Final = "#ffd257"
_BAR: Final = 4
_GLYPHS: Final = {"network": "network", "past": "loop", "file": "file", "unknown": "warning"}
# A frame narrower or wider than this is shown whole, with bars; others are cropped to fill the tile.
_CROPPED: Final = (1.2, 2.4)


@dataclass(frozen=True)
class TileParts:
    """The parts of an item: the image, the name, the line below it in a row, and the two buttons."""

    image: QRect
    name: QRect
    note: QRect
    star: QRect
    plus: QRect


def tile_of(cell: QRect, *, is_row: bool, line: int) -> TileParts:
    """Return the parts of an item in its cell; `line` is the height of a line of text."""
    if is_row:
        image = QRect(QPoint(cell.left() + _GAP, cell.center().y() - _ROW_IMAGE.height() // 2), _ROW_IMAGE)
        plus = _button(QPoint(cell.right() - _GAP - _BUTTON, cell.center().y() - _BUTTON // 2))
        star = _button(plus.topLeft() - QPoint(_BUTTON + 4, 0))
        left = image.right() + 8
        top = cell.center().y() - line
        name = QRect(left, top, star.left() - 4 - left, line + 1)
        note = QRect(left, top + line, star.left() - 4 - left, line + 1)
        return TileParts(image, name, note, star, plus)
    box = cell.adjusted(_GAP, _GAP, -_GAP, -_GAP)
    image = QRect(box.left(), box.top(), box.width(), box.height() - line - 4)
    name = QRect(box.left() + 2, image.bottom() + 3, box.width() - 4, line + 1)
    star = _button(image.topLeft() + QPoint(5, 5))
    plus = _button(QPoint(image.right() - 4 - _BUTTON, image.top() + 5))
    return TileParts(image, name, QRect(), star, plus)


def _button(at: QPoint) -> QRect:
    return QRect(at, QSize(_BUTTON, _BUTTON))


def tile_size(width: int, line: int) -> QSize:
    """Return the size of a tile's cell of a width."""
    return QSize(width, round((width - 2 * _GAP) * 9 / 16) + line + 4 + 2 * _GAP)


def row_size(width: int, line: int) -> QSize:
    """Return the size of a row's cell in a view of a width."""
    return QSize(width, max(_ROW_IMAGE.height(), 2 * line + 2) + 6)


# The opacity of an image of another source than the one that is open.
_OUTDATED: Final = 0.25


class TilePainter(QStyledItemDelegate):
    """Paints items, and reports where their buttons are."""

    def __init__(
        self, previews: LivePreviews, themed: Themed, cell: Callable[[], QSize], parent: QObject
    ) -> None:
        """Make a painter; `cell` returns the size of an item."""
        super().__init__(parent)
        self._previews, self._themed, self._cell = previews, themed, cell
        self.is_row = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self._cell()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item: GalleryItem = index.data(ITEM)
        state = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        tile = tile_of(option.rect, is_row=self.is_row, line=option.fontMetrics.height())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.is_row:
            self._paint_row_ground(painter, option.rect, is_selected=is_selected, is_hovered=is_hovered)
        self._paint_image(painter, tile.image, item)
        if is_selected and not self.is_row:
            self._paint_frame(painter, tile.image, focused=bool(state & QStyle.StateFlag.State_HasFocus))
        self._paint_buttons(painter, tile, item, is_hovered=is_hovered)
        self._paint_name(painter, option, tile, item, is_hovered=is_hovered)
        painter.restore()

    def _paint_row_ground(
        self, painter: QPainter, cell: QRect, *, is_selected: bool, is_hovered: bool
    ) -> None:
        theme = self._themed.theme
        if is_selected or is_hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selected if is_selected else theme.hover))
            painter.drawRoundedRect(QRectF(cell).adjusted(1, 1, -1, -1), 4, 4)

    # -- the image -------------------------------------------------------------------------------------------

    def _paint_image(self, painter: QPainter, box: QRect, item: GalleryItem) -> None:
        theme = self._themed.theme
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(box), _RADIUS, _RADIUS)
        glyph = _GLYPHS.get(item.obstacle, "")
        own = self._previews.image(item.key)
        if own is not None and item.request is not None:
            glyph = ""
        key = PLAIN if glyph else item.key
        image = self._previews.image(key)
        if image is None and not glyph and self._previews.is_refused(item.key):
            glyph, key = "warning", PLAIN
            image = self._previews.image(key)
        painter.fillPath(outline, QColor(theme.raised if image is None else theme.ground))
        if image is not None:
            painter.save()
            painter.setClipPath(outline)
            painter.setOpacity(_OUTDATED if self._previews.is_of_other_source(key) else 1.0)
            _draw_filling(painter, box, image)
            painter.restore()
        if image is None:
            line = painter.fontMetrics().height() if self._shows_size(item) else 0
            above = box.adjusted(0, 0, 0, -line)
            self._draw_icon(painter, above, glyph or item.icon, theme.muted, 18 if self.is_row else 26)
        elif glyph:
            badge = _button(QPoint(box.left() + 5, box.bottom() - 4 - _BUTTON))
            self._draw_disc(painter, badge, QColor(0, 0, 0, 150))
            self._draw_icon(painter, badge, glyph, "#ffffff", 14)
        painter.setPen(QPen(QColor(theme.accent if item.is_used else theme.line), 2 if item.is_used else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        self._paint_state(painter, box, item)

    def _shows_size(self, item: GalleryItem) -> bool:
        """Whether the image has a line for the size of a network that is not there."""
        return item.network is not None and not (item.network.is_ready or self.is_row)

    def _paint_state(self, painter: QPainter, box: QRect, item: GalleryItem) -> None:
        """Paint the sign of an item in use, of one that failed, and how far a download is."""
        theme = self._themed.theme
        sign = QRect(0, 0, 16, 16) if self.is_row else QRect(0, 0, 18, 18)
        sign.moveBottomRight(box.bottomRight() - QPoint(3, 3))
        network = item.network
        has_sign = item.is_used or (network is not None and bool(network.error))
        if item.is_used:
            self._draw_disc(painter, sign, QColor(theme.accent))
            self._draw_icon(painter, sign, "check", theme.accent_text, 12)
        elif network is not None and network.error:
            self._draw_disc(painter, sign, QColor(theme.ground))
            self._draw_icon(painter, sign, "warning", theme.warning, 12)
        received = network.received if network is not None else None
        if self._shows_size(item):
            place = box.adjusted(7, 0, -26 if has_sign else -7, -12 if received is not None else -4)
            painter.setPen(QColor(theme.muted))
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, item.size)
        if received is not None:
            bar = QRectF(box.left() + 6, box.bottom() - 9, box.width() - 12, _BAR)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.line))
            painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
            bar.setWidth(max(_BAR, bar.width() * min(received, 1.0)))
            painter.setBrush(QColor(theme.accent))
            painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)

    def _paint_frame(self, painter: QPainter, box: QRect, *, focused: bool) -> None:
        painter.setPen(QPen(QColor(self._themed.theme.accent), 3 if focused else 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box).adjusted(0, 0, 0, 0), _RADIUS, _RADIUS)

    # -- buttons and the name --------------------------------------------------------------------------------

    def _paint_buttons(
        self, painter: QPainter, tile: TileParts, item: GalleryItem, *, is_hovered: bool
    ) -> None:
        theme = self._themed.theme
        if item.is_cancelable:
            if not self.is_row:
                self._draw_disc(painter, tile.star, QColor(0, 0, 0, 120))
            self._draw_icon(painter, tile.star, "close", theme.muted if self.is_row else "#ffffff", 14)
        elif item.is_favorite or is_hovered:
            name = "star_filled" if item.is_favorite else "star"
            if self.is_row:
                color = theme.accent if item.is_favorite else theme.muted
            else:
                color = _STAR if item.is_favorite else "#ffffff"
                self._draw_disc(painter, tile.star, QColor(0, 0, 0, 120))
            self._draw_icon(painter, tile.star, name, color, 14)
        if is_hovered:
            self._draw_disc(painter, tile.plus, QColor(theme.accent))
            self._draw_icon(painter, tile.plus, item.button, theme.accent_text, 14)
        elif item.is_button_shown:
            if not self.is_row:
                self._draw_disc(painter, tile.plus, QColor(0, 0, 0, 120))
            self._draw_icon(painter, tile.plus, item.button, theme.muted if self.is_row else "#ffffff", 14)

    @staticmethod
    def _draw_disc(painter: QPainter, box: QRect, color: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(box)

    @staticmethod
    def _draw_icon(painter: QPainter, box: QRect, name: str, color: str, size: int) -> None:
        room = QRect(0, 0, size, size)
        room.moveCenter(box.center())
        icons.icon(name, color).paint(painter, room)

    def _paint_name(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        tile: TileParts,
        item: GalleryItem,
        *,
        is_hovered: bool,
    ) -> None:
        """Paint the name and, in a row, what it is for; of a network that is not there, its size first."""
        theme = self._themed.theme
        color = theme.accent if item.is_used else theme.text
        if not self.is_row:
            self._write(painter, option, tile.name, item.title, color)
            return
        # The texts have the place of buttons that are not shown.
        end = tile.plus.right()
        if is_hovered or item.is_favorite or item.is_cancelable:
            end = tile.star.left() - 4
        elif item.is_button_shown:
            end = tile.plus.left() - 4
        name, note = QRect(tile.name), QRect(tile.note)
        name.setRight(end)
        note.setRight(end)
        self._write(painter, option, name, item.title, color)
        size = item.size if item.is_button_shown else ""
        text = " · ".join(part for part in (size, item.purpose) if part)
        self._write(painter, option, note, text or item.facts, theme.muted)

    @staticmethod
    def _write(painter: QPainter, option: QStyleOptionViewItem, box: QRect, text: str, color: str) -> None:
        painter.setFont(option.font)
        elided = QFontMetrics(option.font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.setPen(QColor(color))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)


def _draw_filling(painter: QPainter, box: QRect, image: QImage) -> None:
    """Draw an image so that it fills a box, cropped around its middle, or whole if that would cut off much."""
    width, height = image.width(), image.height()
    is_cropped = _CROPPED[0] <= width / height <= _CROPPED[1]
    ratios = box.width() / width, box.height() / height
    scale = max(ratios) if is_cropped else min(ratios)
    middle = QPointF(box.x() + box.width() / 2, box.y() + box.height() / 2)
    target = QRectF(0, 0, width * scale, height * scale)
    target.moveCenter(middle)
    painter.drawImage(target, image, QRectF(0, 0, width, height))
