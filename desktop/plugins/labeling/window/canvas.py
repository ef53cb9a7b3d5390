"""The image that is labeled, with its boxes and handles; zoom and pan as on the main image."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from desktop.outputs.journal import SavedMask
from desktop.outputs.run_lengths import from_run_lengths, outline_of
from desktop.overlay.layout import OverlayState, placed
from desktop.overlay.painting import paint_state
from desktop.overlay.zones import DrawnZone, placing
from desktop.pipeline.picture.present import Placement, View, place
from desktop.plugins.labeling.data.labels import HANDLES, Handle, Item, carried, handle_positions, held, moved
from desktop.plugins.labeling.window.labeling import Labeling
from desktop.ui.kit.theme import VIEWER
from desktop.ui.kit.view_moves import STEP, grabbed, panned, share_under, zoomed
from desktop.vision.tasks.shapes import Box, Polygon, Position, Shape

# A box that is drawn smaller than this was a click, in logical pixels.
_CLICK: Final = 4.0
_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_FAST: Final = 10
_CURSORS: Final = {
    (-1, -1): Qt.CursorShape.SizeFDiagCursor,
    (1, 1): Qt.CursorShape.SizeFDiagCursor,
    (1, -1): Qt.CursorShape.SizeBDiagCursor,
    (-1, 1): Qt.CursorShape.SizeBDiagCursor,
    (0, -1): Qt.CursorShape.SizeVerCursor,
    (0, 1): Qt.CursorShape.SizeVerCursor,
    (-1, 0): Qt.CursorShape.SizeHorCursor,
    (1, 0): Qt.CursorShape.SizeHorCursor,
}


@dataclass(frozen=True)
class _Drag:
    """Target of a drag: a handle, the selected item, a corner of a new item, or the image.

    Attributes:
        at, share: start of the drag in logical pixels, and in fractions of the image.
        handle: of the item; None for the complete item.
        new, pans: whether it draws a new box, or moves the image.
    """

    at: QPointF
    share: Position
    handle: Handle | None = None
    new: bool = False
    pans: bool = False


class LabelCanvas(QWidget):
    """Shows a `Labeling` for editing by pointer and arrow keys. A drag becomes an edit when it ends."""

    accessible_role = QAccessible.Role.Canvas

    def __init__(self, labeling: Labeling) -> None:
        super().__init__()
        self._labeling = labeling
        self.view = View()
        self._drag: _Drag | None = None
        # The selected item as the current drag would leave it, or the new one while a box is drawn.
        self._draft: Item | None = None
        self._pointer: QPointF | None = None
        self._outlines: dict[SavedMask, Polygon] = {}
        self._name = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 160)
        self.setAccessibleName(self.tr("Image to be labeled"))
        labeling.shown.connect(self._on_shown)
        labeling.changed.connect(self._on_changed)

    def _on_shown(self) -> None:
        if self._labeling.name != self._name:
            self._name = self._labeling.name
            self.view = View()
            self._let_go()
        self.update()

    def _on_changed(self) -> None:
        self._dress()
        self._describe()
        self.update()

    def _describe(self) -> None:
        item = self._labeling.item
        count = self.tr("%n boxes", "", len(self._labeling.picture.items))
        chosen = self.tr("{0} is selected").format(item.label) if item is not None else ""
        self.setAccessibleDescription(
            ", ".join(part for part in (self._labeling.name, count, chosen) if part)
        )

    # -- geometry --------------------------------------------------------------------------------------------

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) of the image; (0, 0) for none."""
        image = self._labeling.image
        return (0, 0) if image is None else (image.width(), image.height())

    @property
    def device_size(self) -> tuple[int, int]:
        """(width, height) of the canvas in device pixels."""
        ratio = self.devicePixelRatioF()
        return round(self.width() * ratio), round(self.height() * ratio)

    @property
    def placement(self) -> Placement:
        """Position of the image, in device pixels."""
        return place(self.view, self.picture_size, self.device_size)

    def share_at(self, point: QPointF) -> Position:
        """Return what of the image lies at a point in logical pixels, held to the image."""
        return share_under(self.view, self.picture_size, self.device_size, self._device(point))

    def point_of(self, share: Position) -> QPointF:
        """Return where a share of the image lies, in logical pixels."""
        x, y = placing(self.placement, self.picture_size, mirrored=False)(*share)
        return QPointF(x, y) / self.devicePixelRatioF()

    def _device(self, point: QPointF) -> Position:
        ratio = self.devicePixelRatioF()
        return point.x() * ratio, point.y() * ratio

    def _handle_at(self, point: QPointF) -> Handle | None:
        item = self._labeling.item
        if item is None:
            return None
        points = (self.point_of(share).toTuple() for share in handle_positions(item.box))
        number = grabbed(points, point.toTuple())
        return None if number is None else HANDLES[number]

    def _item_at(self, point: QPointF) -> int | None:
        """Return the item under the pointer: the selected one, else the smallest."""
        x, y = self.share_at(point)
        under = [
            ((box[2] - box[0]) * (box[3] - box[1]), number)
            for number, item in enumerate(self._labeling.picture.items)
            if (box := item.box)[0] <= x <= box[2] and box[1] <= y <= box[3]
        ]
        return min(under)[1] if under else None

    # -- the view --------------------------------------------------------------------------------------------

    @property
    def zoom(self) -> float:
        """Device pixels for one pixel of the image."""
        return self.placement.zoom

    def fit(self) -> None:
        """Show the whole image."""
        self._set_view(View())

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom, with the point under `at` (logical pixels) where it is."""
        if self.picture_size[0]:
            under = None if at is None else self._device(at)
            self._set_view(zoomed(self.view, self.picture_size, self.device_size, zoom, under))

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zoom in, or out if negative, by steps."""
        self.zoom_to(self.zoom * STEP**steps, at)

    def _set_view(self, view: View) -> None:
        self.view = view
        self.update()

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint image, labels and what is being dragged."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor.fromRgbF(*VIEWER))
        image = self._labeling.image
        if image is None:
            self._paint_words(
                painter, self._labeling.problem or self.tr("Opening {0}").format(self._labeling.name)
            )
            return
        at, ratio = self.placement, self.devicePixelRatioF()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, at.zoom < 4)
        rect = QRectF(at.x, at.y, image.width() * at.zoom, image.height() * at.zoom)
        painter.drawImage(QRectF(rect.topLeft() / ratio, rect.size() / ratio), image)
        # What can be taken hold of lies above everything.
        for state in (self.state(), self.handles()):
            paint_state(painter, state, self.width(), self.height(), ratio)
        if self._labeling.drawing and self._drag is None and self._pointer is not None:
            self._paint_cross(painter, self._pointer)

    def _paint_words(self, painter: QPainter, text: str) -> None:
        painter.setPen(QColor("#b4bcc6"))
        room = self.rect().adjusted(24, 24, -24, -24)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)

    def _paint_cross(self, painter: QPainter, at: QPointF) -> None:
        for color, width in ((QColor(12, 13, 16, 160), 3.0), (QColor(245, 246, 248), 1.0)):
            painter.setPen(QPen(color, width))
            painter.drawLine(QPointF(at.x(), 0), QPointF(at.x(), self.height()))
            painter.drawLine(QPointF(0, at.y()), QPointF(self.width(), at.y()))

    def state(self) -> OverlayState:
        """Return the overlay of the image, with the same colors, names and corners as on the main image."""
        picture = self._labeling.picture
        shapes = [shape for item in self._items() for shape in self._shapes_of(item)]
        word = picture.word
        return OverlayState(
            found=placed(shapes, self.placement, self.picture_size, mirrored=False),
            rows=((self.tr("Whole image"), self._word_of(word, picture.word_score)),) if word else (),
        )

    def handles(self) -> OverlayState:
        """Return what the selected box can be taken hold of by."""
        selected = self._labeling.selected
        if selected is None or (self._drag is not None and self._drag.new):
            return OverlayState()
        item, put = self._items()[selected], placing(self.placement, self.picture_size, mirrored=False)
        points = tuple(put(x, y) for x, y in handle_positions(item.box))
        # Open, with its first point repeated: a closed outline would be filled and cover the object.
        zone = DrawnZone(
            (*points, points[0]), is_closed=False, color=self._number(item.label), has_corners=True
        )
        return OverlayState(zones=(zone,))

    def _items(self) -> list[Item]:
        """The items with what is being dragged in its place."""
        items, selected = list(self._labeling.picture.items), self._labeling.selected
        if self._draft is not None and self._drag is not None and self._drag.new:
            items.append(self._draft)
        elif self._draft is not None and selected is not None:
            items[selected] = self._draft
        return items

    @staticmethod
    def _word_of(word: str, score: float | None) -> str:
        return word if score is None else f"{word} {score * 100:.0f} %"

    def _number(self, name: str) -> int:
        classes = self._labeling.classes
        return classes.index(name) if name in classes else len(classes)

    def _shapes_of(self, item: Item) -> list[Shape]:
        number = self._number(item.label)
        score = None if item.confirmed else item.score
        name = item.label if item.confirmed or score is not None else f"{item.label} ?"
        found: list[Shape] = [Box(name, number, *item.box, score=score)]
        for shape in item.shapes:
            outline = self._outline(shape) if isinstance(shape, SavedMask) else shape
            # Their box has the name.
            found.append(replace(carried(outline, item.origin, item.box), label="", score=None, index=number))
        return found

    def _outline(self, mask: SavedMask) -> Polygon:
        """Return a mask's outline, which is made once: of a large one it takes some milliseconds."""
        if mask not in self._outlines:
            if len(self._outlines) > 500:
                self._outlines.clear()
            width, height = mask.size
            corners = outline_of(from_run_lengths(mask.counts, mask.size))
            self._outlines[mask] = Polygon("", 0, tuple((x / width, y / height) for x, y in corners))
        return self._outlines[mask]

    # -- the pointer -----------------------------------------------------------------------------------------

    def _dress(self) -> None:
        if self._labeling.drawing:
            self.setCursor(Qt.CursorShape.CrossCursor)
            return
        at = self._pointer
        handle = None if at is None else self._handle_at(at)
        if handle is not None:
            self.setCursor(_CURSORS[handle])
        elif at is not None and self.picture_size[0] and self._item_at(at) is not None:
            self.setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            self.unsetCursor()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a handle, of a box, of a new one's corner, or of the image."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if not self.picture_size[0]:
            return
        at = event.position()
        share = self.share_at(at)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = _Drag(at, share, pans=True)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._drag = self._held_at(at, share, event.modifiers())
        if self._drag is not None and self._drag.pans:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def _held_at(self, at: QPointF, share: Position, modifiers: Qt.KeyboardModifier) -> _Drag:
        if self._labeling.drawing or modifiers & Qt.KeyboardModifier.ShiftModifier:
            return _Drag(at, share, new=True)
        handle = self._handle_at(at)
        if handle is not None:
            return _Drag(at, share, handle)
        number = self._item_at(at)
        self._labeling.select(number)
        return _Drag(at, share, pans=number is None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held."""
        at = event.position()
        self._pointer = at
        drag = self._drag
        if drag is None:
            self._dress()
        elif drag.pans:
            by = self._device(at - drag.at)
            self._set_view(panned(self.view, self.picture_size, self.device_size, by))
            self._drag = replace(drag, at=at)
        else:
            self._draft = self._dragged(drag, at)
        if self._labeling.drawing or drag is not None:
            self.update()

    def _dragged(self, drag: _Drag, at: QPointF) -> Item | None:
        """Return the item as the drag would leave it; None if the pointer has hardly moved."""
        far = (at - drag.at).manhattanLength() >= _CLICK
        share, item = self.share_at(at), self._labeling.item
        if not far and self._draft is None:
            return None
        if drag.new:
            return Item(self._labeling.class_now, held((*drag.share, *share), (1e-6, 1e-6)), confirmed=True)
        if item is None:
            return None
        if drag.handle is not None:
            return self._labeling.resized(drag.handle, share)
        return moved(item, (share[0] - drag.share[0], share[1] - drag.share[1]))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag, which becomes an edit."""
        drag, draft, item = self._drag, self._draft, self._labeling.item
        if drag is None or drag.pans or draft is None:
            self._let_go()
            return
        if not drag.new and item is not None and drag.handle is None:
            share = self.share_at(event.position())
            self._let_go()
            self._labeling.move_item((share[0] - drag.share[0], share[1] - drag.share[1]))
        elif not drag.new and drag.handle is not None:
            self._let_go()
            self._labeling.resize_item(drag.handle, self.share_at(event.position()))
        else:
            self._let_go()
            if drag.new:
                self._add(draft)

    def _add(self, draft: Item) -> None:
        left, top, right, bottom = draft.box
        size = self.point_of((right, bottom)) - self.point_of((left, top))
        if min(size.x(), size.y()) >= _CLICK:
            self._labeling.add_box(draft.box)

    def _let_go(self) -> None:
        self._drag = self._draft = None
        self._dress()
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Between the whole image and 1:1, beside the boxes."""
        if event.button() != Qt.MouseButton.LeftButton or not self.picture_size[0]:
            return
        if self._labeling.drawing or self._item_at(event.position()) is not None:
            self.mousePressEvent(event)
        elif self.view.mode == "fit":
            self.zoom_to(1.0, event.position())
        else:
            self.fit()

    def leaveEvent(self, event: object) -> None:
        """The cross goes with the pointer."""
        self._pointer = None
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        self.zoom_by(event.angleDelta().y() / 120, event.position())
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Paint at the new size."""
        super().resizeEvent(event)
        self.update()

    # -- keys ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selected box with the arrows (Shift: 10 pixels, Ctrl: resize); Escape ends a drag."""
        modifiers, key = event.modifiers(), event.key()
        if key == Qt.Key.Key_Escape:
            self._escape()
        elif key in _ARROWS and self._labeling.item is not None:
            step = _FAST if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
            x, y = _ARROWS[Qt.Key(key)]
            by = (float(x * step), float(y * step))
            if modifiers & Qt.KeyboardModifier.ControlModifier:
                self._labeling.grow_item(by)
            else:
                self._labeling.move_item(by, in_pixels=True)
        else:
            event.ignore()

    def _escape(self) -> None:
        if self._drag is not None:
            self._let_go()
        elif self._labeling.drawing:
            self._labeling.set_drawing(False)
        else:
            self._labeling.select(None)
