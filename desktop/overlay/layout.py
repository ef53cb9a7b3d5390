"""Lay out the overlay for `painting.py`, in logical pixels of the canvas unless stated otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QPointF, QRectF, Qt, QTextBoundaryFinder
from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath, QPolygonF

from desktop.overlay.handles import DrawnHandles
from desktop.overlay.prompts import DrawnPrompts
from desktop.overlay.subtitles import Caption, CaptionImage, DrawnSubtitles, place_subtitles
from desktop.overlay.utf16 import utf16_length, utf16_part
from desktop.overlay.zones import DrawnHeat, DrawnZone, placing
from desktop.pipeline.picture.present import Placement
from desktop.vision.tasks.shapes import (
    Box,
    Extents,
    Label,
    Line,
    Mask,
    Points,
    Polygon,
    Position,
    Shape,
    caption,
    color_number,
)

if TYPE_CHECKING:
    from desktop.vision.tasks.task import Result
    from desktop.vision.tracking.heat_map import HeatImage

_MARGIN: Final = 12.0
# A canvas with a side below this has smaller text and fewer classes.
_SMALL: Final = (700, 440)
_FEW: Final = 3
_NARROWEST_BARS: Final = 120.0
# Radius of a point, and length of an arrowhead.
_DOT: Final = 2.0
_HEAD: Final = 9.0


@dataclass(frozen=True)
class OverlayState:
    """Content of the overlay. Equal states give equal images, so only a new state is painted.

    Attributes:
        rows: label and value of each figure; empty hides the box.
        bars: classes of the whole frame, best first; `bars_title` is the network's name.
        found, chosen: detected shapes, best first, in device pixels of the canvas; the highlighted ones.
        trails: paths of tracked objects, likewise.
        prompts: the user's prompts, in device pixels of the canvas.
        handles: a shape that the user edits, likewise.
        toast: a short confirmation ('Speed 2x').
        split: position of the before/after line, as a fraction of the width; None for none.
        recording: elapsed time of a recording, '' for none.
        waiting: what is being waited for ('Opening clip.mp4').
        name: title of a grid tile, with its number.
        words: text shown instead of a missing frame, broken into lines.
        image: the frame's rectangle, in device pixels of the canvas; None if it fills the canvas.
        covered: the rectangle that another widget covers, likewise; what can be moved is placed above it.
    """

    rows: tuple[tuple[str, str], ...] = ()
    bars: tuple[Label, ...] = ()
    bars_title: str = ""
    found: tuple[Shape, ...] = ()
    chosen: tuple[Shape, ...] = ()
    trails: tuple[Shape, ...] = ()
    zones: tuple[DrawnZone, ...] = ()
    heat: DrawnHeat | None = None
    prompts: DrawnPrompts = field(default_factory=DrawnPrompts)
    handles: DrawnHandles = field(default_factory=DrawnHandles)
    subtitles: DrawnSubtitles | None = None
    toast: str = ""
    split: float | None = None
    split_labels: tuple[str, str] = ("", "")
    recording: str = ""
    waiting: str = ""
    name: str = ""
    words: str = ""
    image: Extents | None = None
    covered: Extents | None = None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return self == OverlayState(split_labels=self.split_labels, image=self.image, covered=self.covered)


def placed(
    shapes: Iterable[Shape], at: Placement, picture: tuple[int, int], *, mirrored: bool
) -> tuple[Shape, ...]:
    """Convert shapes from fractions of the frame to whole device pixels of the canvas. Class labels of the
    whole frame and class masks have no box and are omitted. `picture` is the frame's size in pixels, `at` its
    place on the canvas; `mirrored` flips the preview.
    """

    put = placing(at, picture, mirrored=mirrored)
    return tuple(
        shape.moved(put)
        for shape in shapes
        if not isinstance(shape, Label) and not (isinstance(shape, Mask) and shape.is_class)
    )


def image_edges(at: Placement, picture: tuple[int, int]) -> Extents:
    """Return the edges of a frame of a size in pixels, in whole device pixels of the canvas."""
    put = placing(at, picture, mirrored=False)
    return (*put(0.0, 0.0), *put(1.0, 1.0))


def follows_picture(result: Result | None) -> bool:
    """Return whether a result has parts that are located in the frame and must be drawn with it."""
    return result is not None and any(not isinstance(shape, Label) for shape in result.shapes())


# -- marks ---------------------------------------------------------------------------------------------------

FontName = Literal["text", "bold", "small"]
ColorName = Literal["text", "muted", "on class"]


@dataclass(frozen=True)
class Ground:
    """A dark rounded box behind text."""

    rect: QRectF
    radius: float = 7.0


@dataclass(frozen=True)
class Pin:
    """A point prompt, on the object or off it."""

    center: QPointF
    inside: bool


@dataclass(frozen=True)
class Frame:
    """A box prompt around an object."""

    rect: QRectF


@dataclass(frozen=True)
class ClassGround:
    """A box in the color of a class or a track."""

    rect: QRectF
    index: int


@dataclass(frozen=True)
class Words:
    """A text; (x, y) is the start of its baseline."""

    x: float
    y: float
    text: str
    font: FontName = "bold"
    color: ColorName = "text"


@dataclass(frozen=True)
class Outline:
    """The outline of a detection, in the color of its class or track."""

    path: QPainterPath
    index: int


@dataclass(frozen=True)
class Chosen:
    """The outline of a highlighted detection."""

    path: QPainterPath


@dataclass(frozen=True)
class Trail:
    """The path of a tracked object, in the color of its track."""

    path: QPainterPath
    index: int


@dataclass(frozen=True)
class Area:
    """A zone, lightly filled and outlined in a color."""

    path: QPainterPath
    index: int


@dataclass(frozen=True)
class Guide:
    """A line of a shape that is edited."""

    path: QPainterPath


@dataclass(frozen=True)
class Strokes:
    """Painted lines, `width` wide."""

    path: QPainterPath
    width: float


@dataclass(frozen=True)
class Corner:
    """A corner of a shape that can be dragged."""

    center: QPointF
    chosen: bool


@dataclass(frozen=True)
class Heat:
    """A heat map over a part of the canvas."""

    image: HeatImage
    rect: QRectF
    mirrored: bool


@dataclass(frozen=True)
class Track:
    """A bar filled to a fraction in 0..1."""

    rect: QRectF
    share: float


@dataclass(frozen=True)
class RecordingDot:
    """The red dot of a recording."""

    center: QPointF


@dataclass(frozen=True)
class Handle:
    """The handle of the before/after line."""

    center: QPointF


Mark = (
    Ground
    | ClassGround
    | Words
    | Outline
    | Chosen
    | Trail
    | Area
    | Guide
    | Strokes
    | Corner
    | Heat
    | Pin
    | Frame
    | Track
    | Caption
    | CaptionImage
    | RecordingDot
    | Handle
)


class Fonts:
    """The fonts of a canvas: smaller on a small frame, which they must not cover."""

    def __init__(self, width: float, height: float) -> None:
        self.compact = width < _SMALL[0] or height < _SMALL[1]
        text = QFont()
        text.setPixelSize(11 if self.compact else 13)
        bold = QFont(text)
        bold.setWeight(QFont.Weight.DemiBold)
        small = QFont(text)
        small.setPixelSize(10 if self.compact else 12)
        self.by_name: dict[FontName, QFont] = {"text": text, "bold": bold, "small": small}

    def metrics(self, name: FontName) -> QFontMetricsF:
        """Return the metrics of a font."""
        return QFontMetricsF(self.by_name[name])


def lay_out(state: OverlayState, fonts: Fonts, width: float, height: float, scale: float) -> list[Mark]:
    """Return the marks of a state, in painting order. `scale` is device pixels per logical pixel."""
    return _Layout(fonts, width, height, scale).lay_out(state)


class _Layout:
    """Collects the marks. Each one is placed clear of those before it."""

    def __init__(self, fonts: Fonts, width: float, height: float, scale: float) -> None:
        self._fonts = fonts
        self._width, self._height = width, height
        self._scale = scale
        self._compact = fonts.compact
        self._marks: list[Mark] = []
        # Areas already covered by text.
        self._taken: list[QRectF] = []

    def lay_out(self, state: OverlayState) -> list[Mark]:
        image = self._image_of(state.image)
        if state.heat is not None:
            self._heat(state.heat)
        for zone in state.zones:
            self._zone(zone)
        for trail in state.trails:
            self._marks.append(Trail(self._path_of(trail), color_number(trail)))
        for found in reversed(state.found):
            self._outline(found)
        for chosen in state.chosen:
            self._marks.append(Chosen(self._path_of(chosen)))
        self._prompts(state.prompts)
        self._edited(state.handles)
        if state.split is not None:
            self._handle(state.split)
        if state.rows:
            self._rows(state.rows)
        if state.recording:
            self._recording(state.recording)
        if state.bars:
            self._bars(state.bars, state.bars_title, image)
        if state.covered is not None:
            self._taken.append(self._rect_of(state.covered))
        if state.subtitles is not None:
            self._subtitles(state.subtitles)
        if state.split is not None:
            self._split_labels(state.split, state.split_labels, image.bottom())
        if state.waiting:
            self._pill(state.waiting, self._height / 2)
        if state.words:
            self._words(state.words)
        if state.name:
            self._name(state.name)
        if state.toast:
            self._pill(state.toast, self._height - 40)
        for zone in state.zones:
            self._zone_title(zone)
        # Best last, so that its label is above the others.
        for found in reversed(state.found):
            self._tag(found)
        return self._marks

    def _box(self, rect: QRectF, radius: float = 7.0) -> None:
        self._marks.append(Ground(rect, radius))
        self._taken.append(rect)

    def _is_free(self, rect: QRectF) -> bool:
        return not any(rect.intersects(other) for other in self._taken)

    def _risen(self, rect: QRectF) -> QRectF | None:
        """Return a box moved up until it overlaps nothing; None if there is no room."""
        tops = [rect.top(), *sorted((o.top() - 6 - rect.height() for o in self._taken), reverse=True)]
        places = [QRectF(rect.left(), top, rect.width(), rect.height()) for top in tops if top <= rect.top()]
        return next((place for place in places if place.top() >= 0 and self._is_free(place)), None)

    def _text(
        self, x: float, y: float, text: str, font: FontName = "bold", color: ColorName = "text"
    ) -> None:
        self._marks.append(Words(x, y, text, font, color))

    def _at(self, position: Position) -> QPointF:
        return QPointF(position[0] / self._scale, position[1] / self._scale)

    def _rect_of(self, edges: Extents) -> QRectF:
        return QRectF(self._at(edges[:2]), self._at(edges[2:])).normalized()

    def _image_of(self, edges: Extents | None) -> QRectF:
        """Return the visible part of the frame, in logical pixels."""
        canvas = QRectF(0.0, 0.0, self._width, self._height)
        return canvas if edges is None else self._rect_of(edges).intersected(canvas)

    def _path_of(self, shape: Shape) -> QPainterPath:
        """Return the outline of a shape, in logical pixels."""
        path = QPainterPath()
        match shape:
            case Box() | Mask():  # the present pass draws a mask's pixels
                rect = QRectF(self._at((shape.left, shape.top)), self._at((shape.right, shape.bottom)))
                path.addRect(rect.normalized())
            case Polygon(points=points):
                path.addPolygon(QPolygonF([self._at(p) for p in points]))
                path.closeSubpath()
            case Line(points=points):
                path.addPolygon(QPolygonF([self._at(p) for p in points]))
                if shape.arrow and len(points) > 1:
                    self._add_head(path, self._at(points[-2]), self._at(points[-1]))
            case Points(points=points):
                for first, last in shape.edges:
                    if shape.is_visible(first) and shape.is_visible(last):
                        path.moveTo(self._at(points[first]))
                        path.lineTo(self._at(points[last]))
                for point in shape.visible_points():
                    path.addEllipse(self._at(point), _DOT, _DOT)
        return path

    def _add_head(self, path: QPainterPath, start: QPointF, end: QPointF) -> None:
        angle = math.atan2(end.y() - start.y(), end.x() - start.x())
        for side in (-0.45, 0.45):
            path.moveTo(end)
            path.lineTo(end.x() - _HEAD * math.cos(angle + side), end.y() - _HEAD * math.sin(angle + side))

    def _outline(self, shape: Shape) -> None:
        self._marks.append(Outline(self._path_of(shape), color_number(shape)))

    def _heat(self, heat: DrawnHeat) -> None:
        left, top, right, bottom = (edge / self._scale for edge in heat.rect)
        rect = QRectF(min(left, right), top, abs(right - left), bottom - top)
        self._marks.append(Heat(heat.image, rect, mirrored=right < left))

    def _prompts(self, prompts: DrawnPrompts) -> None:
        if prompts.box is not None:
            left, top, right, bottom = prompts.box
            self._marks.append(Frame(QRectF(self._at((left, top)), self._at((right, bottom)))))
        self._marks += [Pin(self._at(at), inside) for at, inside in prompts.points]

    def _edited(self, shape: DrawnHandles) -> None:
        if shape.strokes:
            self._marks.append(Strokes(self._polylines(shape.strokes), shape.width / self._scale))
        if shape.lines:
            self._marks.append(Guide(self._polylines(shape.lines)))
        self._marks += [Corner(self._at(p), i == shape.chosen) for i, p in enumerate(shape.handles)]

    def _polylines(self, lines: Iterable[tuple[Position, ...]]) -> QPainterPath:
        path = QPainterPath()
        for line in lines:
            # A click without a way leaves a point, of which a line of no length is the mark.
            path.addPolygon(QPolygonF([self._at(p) for p in (*line, line[-1])]))
        return path

    def _zone(self, zone: DrawnZone) -> None:
        path = self._zone_path(zone)
        if zone.is_closed:
            self._marks.append(Area(path, zone.color))
        else:
            if zone.arrow is not None:
                start, end = map(self._at, zone.arrow)
                path.moveTo(start)
                path.lineTo(end)
                self._add_head(path, start, end)
            self._marks.append(Outline(path, zone.color))
        if zone.has_corners:
            self._marks += [Corner(self._at(p), i == zone.chosen) for i, p in enumerate(zone.points)]

    def _zone_path(self, zone: DrawnZone) -> QPainterPath:
        path = QPainterPath()
        path.addPolygon(QPolygonF([self._at(p) for p in zone.points]))
        if zone.is_closed:
            path.closeSubpath()
        return path

    def _zone_title(self, zone: DrawnZone) -> None:
        """Place name and counts in the middle of a zone or line; if that is occupied, above or below it."""
        text = "  ".join(part for part in (zone.title, zone.figures) if part)
        # A vertical line has no width, and would intersect nothing.
        rect = self._zone_path(zone).boundingRect().adjusted(-1, -1, 1, 1)
        if not text or not rect.intersects(QRectF(0.0, 0.0, self._width, self._height)):
            return
        metrics = self._fonts.metrics("bold")
        text = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, min(self._width - 24, 320.0))
        width, height = metrics.horizontalAdvance(text) + 12, metrics.height() + 4
        center = rect.center()
        if zone.arrow is not None:
            # On the side of the line opposite to its arrow.
            start, end = map(self._at, zone.arrow)
            away = (start - end) / max(1.0, math.hypot((start - end).x(), (start - end).y()))
            center = start + away * (abs(away.x()) * width / 2 + abs(away.y()) * height / 2 + 6)
        left = max(0.0, min(center.x() - width / 2, self._width - width))
        middle = center.y() - height / 2
        tops = [middle + step * (height + 3) for step in (0, -1, 1, -2, 2, -3, 3)]
        places = [QRectF(left, top, width, height) for top in tops if 0 <= top <= self._height - height]
        ground = next((place for place in places if self._is_free(place)), None)
        if ground is None:
            return
        self._taken.append(ground)
        self._marks.append(ClassGround(ground, zone.color))
        self._text(ground.left() + 6, ground.top() + 2 + metrics.ascent(), text, "bold", "on class")

    def _tag(self, shape: Shape) -> None:
        text = caption(shape)
        rect = self._path_of(shape).boundingRect()
        visible = rect.intersected(QRectF(0.0, 0.0, self._width, self._height))
        if not text or visible.width() < 24 or visible.height() < 16:
            return
        metrics = self._fonts.metrics("bold")
        room = min(max(visible.width(), 160.0), self._width) - 12
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        ground = self._tag_place(rect, visible, metrics.horizontalAdvance(text) + 12, metrics.height() + 4)
        if ground is None:
            return
        self._marks.append(ClassGround(ground, color_number(shape)))
        self._text(ground.left() + 6, ground.top() + 2 + metrics.ascent(), text, "bold", "on class")

    def _tag_place(self, rect: QRectF, visible: QRectF, width: float, height: float) -> QRectF | None:
        """Return a place above the box, else inside, below or beside a panel in the way; None if none."""
        beside = [o.right() + 4 for o in self._taken if visible.left() < o.right() < visible.right() - 16]
        tops = (rect.top() - height - 1, visible.top() + 1, visible.bottom() - height - 1, rect.bottom() + 1)
        for top in tops:
            for left in (visible.left() - 1, *sorted(beside)):
                place = QRectF(max(0.0, min(left, self._width - width)), top, width, height)
                if top >= 0 and place.bottom() <= self._height and self._is_free(place):
                    return place
        return None

    def _rows(self, rows: tuple[tuple[str, str], ...]) -> None:
        metrics, small = self._fonts.metrics("text"), self._fonts.metrics("small")
        line = metrics.height() + 3
        left = max(small.horizontalAdvance(label) for label, _ in rows)
        right = max(metrics.horizontalAdvance(value) for _, value in rows)
        width = min(left + right + 34, self._width - 2 * _MARGIN)
        height = line * len(rows) + 13
        if width < 60 or height > self._height - 2 * _MARGIN:
            return
        self._box(QRectF(_MARGIN, _MARGIN, width, height))
        for i, (label, value) in enumerate(rows):
            y = _MARGIN + 8 + i * line + metrics.ascent()
            self._text(_MARGIN + 10, y, label, "small", "muted")
            self._text(_MARGIN + width - 10 - metrics.horizontalAdvance(value), y, value, "text")

    def _bars(self, bars: tuple[Label, ...], title: str, image: QRectF) -> None:
        """Place the classes in the lower left corner of the image, never across its edge.

        If they would cover more than half of its height, they go below it or to its left; where there is no
        room either, the least likely ones are omitted.
        """
        metrics, small = self._fonts.metrics("text"), self._fonts.metrics("small")
        row = metrics.height() + (7 if self._compact else 11)
        bars = bars[:_FEW] if self._compact else bars
        head = small.height() + 19
        wanted = head + row * len(bars)
        below = QRectF(0.0, image.bottom(), self._width, self._height - image.bottom())
        beside = QRectF(0.0, 0.0, image.left(), self._height)
        rooms = [room for area in (image, below, beside) if (room := self._bars_area(area)) is not None]
        roomy = [
            room
            for room in rooms
            if room.height() >= wanted and not (image.contains(room) and wanted > image.height() / 2)
        ]
        place = next(iter(roomy), None) or max(rooms, key=QRectF.height, default=QRectF())
        bars = bars[: max(0, int((place.height() - head) / row))]
        if not bars:
            return
        height = head + row * len(bars)
        left, top, width = place.left(), place.bottom() - height, place.width()
        self._box(QRectF(left, top, width, height))
        inner = width - 20
        name = small.elidedText(title, Qt.TextElideMode.ElideMiddle, inner)
        self._text(left + 10, top + 9 + small.ascent(), name, "small", "muted")
        for i, bar in enumerate(bars):
            y = top + 14 + small.height() + i * row
            percent = f"{bar.value * 100:.0f} %"
            begin = left + 10.0
            if bar.colored:
                side = metrics.ascent() - 2
                self._marks.append(ClassGround(QRectF(begin, y + 2, side, side), bar.index))
                begin += side + 6
            space = inner - metrics.horizontalAdvance("100 %") - 8 - (begin - left - 10)
            font: FontName = "bold" if i == 0 else "text"
            label = self._fonts.metrics(font).elidedText(bar.label, Qt.TextElideMode.ElideRight, space)
            self._text(begin, y + metrics.ascent(), label, font)
            end = left + 10 + inner - metrics.horizontalAdvance(percent)
            self._text(end, y + metrics.ascent(), percent, "text", "muted")
            track = QRectF(left + 10, y + metrics.height() + 2, inner, 3)
            self._marks.append(Track(track, max(0.0, min(1.0, bar.value))))

    def _bars_area(self, area: QRectF) -> QRectF | None:
        """Return the part of an area for the classes, below the figures and the recording time, if any."""
        left, bottom = area.left() + _MARGIN, area.bottom() - _MARGIN
        width = min(190.0 if self._compact else 270.0, area.width() - 2 * _MARGIN)
        above = [o.bottom() for o in self._taken if o.left() < left + width and o.right() > left]
        top = max([area.top(), *above]) + _MARGIN
        return QRectF(left, top, width, bottom - top) if width >= _NARROWEST_BARS and bottom > top else None

    def _subtitles(self, drawn: DrawnSubtitles) -> None:
        canvas = QRectF(0.0, 0.0, self._width, self._height)
        font = self._fonts.by_name["bold"]
        for mark in place_subtitles(drawn, canvas, self._scale, font, self._risen):
            self._marks.append(mark)
            if isinstance(mark, Caption):
                words = QRectF(0.0, 0.0, mark.layout.boundingRect().width(), mark.rect.height())
                words.moveCenter(mark.rect.center())
                self._taken.append(words)

    def _pill(self, text: str, middle: float) -> None:
        metrics = self._fonts.metrics("bold")
        text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, self._width - 60)
        width = metrics.horizontalAdvance(text) + 30
        height = metrics.height() + 14
        rect = self._risen(QRectF((self._width - width) / 2, middle - height / 2, width, height))
        if rect is None:  # a small window; the statistics show the same
            return
        self._box(rect, height / 2)
        self._text(rect.x() + 15, rect.y() + 7 + metrics.ascent(), text)

    def _name(self, name: str) -> None:
        """Place a tile's title in the lower right corner, above what is there."""
        metrics = self._fonts.metrics("small")
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, self._width - 2 * _MARGIN - 16)
        width, height = metrics.horizontalAdvance(name) + 16, metrics.height() + 8
        left, top = self._width - _MARGIN - width, self._height - _MARGIN - height
        rect = self._risen(QRectF(left, top, width, height))
        if rect is not None:
            self._box(rect, 5)
            self._text(rect.x() + 8, rect.y() + 4 + metrics.ascent(), name, "small")

    def _words(self, text: str) -> None:
        """Place a text in the middle, in lines that fit; the last lines are omitted if there is no room."""
        metrics = self._fonts.metrics("text")
        room = min(self._width - 2 * _MARGIN, 420.0)
        lines = _in_lines(text, metrics, room)[: max(1, int((self._height - 2 * _MARGIN) / metrics.height()))]
        top = (self._height - len(lines) * metrics.height()) / 2
        for number, line in enumerate(lines):
            left = (self._width - metrics.horizontalAdvance(line)) / 2
            y = top + number * metrics.height()
            self._taken.append(QRectF(left, y, metrics.horizontalAdvance(line), metrics.height()))
            self._text(left, y + metrics.ascent(), line, "text", "muted")

    def _recording(self, elapsed: str) -> None:
        metrics = self._fonts.metrics("bold")
        width = metrics.horizontalAdvance(elapsed) + 38
        left = self._width - _MARGIN - width
        rect = QRectF(left, _MARGIN, width, metrics.height() + 10)
        if not self._is_free(rect):
            rect.moveTop(max(o.bottom() for o in self._taken) + 6)
        self._box(rect, rect.height() / 2)
        self._marks.append(RecordingDot(QPointF(rect.x() + 15, rect.center().y())))
        self._text(rect.x() + 26, rect.y() + 5 + metrics.ascent(), elapsed)

    def _handle(self, share: float) -> None:
        self._marks.append(Handle(QPointF(share * self._width, self._height / 2)))

    def _split_labels(self, share: float, labels: tuple[str, str], bottom: float) -> None:
        x = share * self._width
        self._taken.append(QRectF(x - 14, self._height / 2 - 14, 28, 28))  # the handle
        metrics = self._fonts.metrics("small")
        for side, label in zip((-1, 1), labels, strict=True):
            width = metrics.horizontalAdvance(label) + 16
            left = x - 10 - width if side < 0 else x + 10
            if not label or left < 0 or left + width > self._width:
                continue
            height = metrics.height() + 8
            rect = self._risen(QRectF(left, bottom - _MARGIN - height, width, height))
            if rect is None:
                continue
            self._box(rect, 5)
            self._text(rect.x() + 8, rect.y() + 4 + metrics.ascent(), label, "small")


def _in_lines(text: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """Break a text into lines of a width, at Unicode line break opportunities (Chinese has no spaces)."""
    lines: list[str] = []
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Line, text)
    begun = end = 0
    while (place := finder.toNextBoundary()) != -1:
        if end > begun and metrics.horizontalAdvance(utf16_part(text, begun, place).rstrip()) > room:
            lines.append(utf16_part(text, begun, end).rstrip())
            begun = end
        end = place
    lines.append(utf16_part(text, begun, utf16_length(text)).rstrip())
    return [metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, room) for line in lines if line]
