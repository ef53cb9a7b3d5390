"""What stands above the picture, painted into an image that the present pass blends in.

The canvas is a native window of its own when it presents to the screen, and Qt's widgets over it do not blend with it: so the text is
painted here, and handed on only when it changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

_MARGIN: Final = 12.0
_GROUND: Final = QColor(12, 13, 16, 212)
_TEXT: Final = QColor("#f2f4f6")
_MUTED: Final = QColor("#b4bcc6")
_ACCENT: Final = QColor("#46b8a6")


@dataclass(frozen=True)
class Bar:
    """A class that a network named, with its probability in 0..1."""

    label: str
    value: float


@dataclass(frozen=True)
class FoundBox:
    """Something that a detector found: what it is, its class's number (for the colour), and where, in device pixels of the canvas."""

    label: str
    index: int
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True)
class OverlayState:
    """All that the overlay shows. Equal states give equal images, so an image is painted only for a new state.

    Attributes:
        rows: label and value of each number; none hides the box.
        bars: the network's classes, best first.
        bars_title: the network's name.
        found: what a detector found, best first.
        toast: a word about what was just done ('Speed 2x').
        split: where the before/after line stands, as a share of the width; None for none.
        recording: elapsed time of a recording, '' for none.
        waiting: what is being waited for ('Opening clip.mp4').
    """

    rows: tuple[tuple[str, str], ...] = ()
    bars: tuple[Bar, ...] = ()
    bars_title: str = ""
    found: tuple[FoundBox, ...] = ()
    toast: str = ""
    split: float | None = None
    split_labels: tuple[str, str] = ("", "")
    recording: str = ""
    waiting: str = ""

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to show."""
        return self == OverlayState(split_labels=self.split_labels)


def paint_overlay(state: OverlayState, width: int, height: int, scale: float) -> np.ndarray | None:
    """Paint a state.

    Args:
        state: what to show.
        width, height: of the canvas, in device pixels.
        scale: device pixels for one logical pixel.

    Returns:
        uint8 [height, width, 4], R'G'B'A premultiplied; None where there is nothing to show.
    """
    if state.is_empty or width < 1 or height < 1:
        return None
    image = QImage(width, height, QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    _Painter(painter, width / scale, height / scale, scale).paint(state)
    painter.end()
    bits: Any = image.constBits()
    return (
        np.frombuffer(bits, np.uint8)
        .reshape(height, image.bytesPerLine())[:, : width * 4]
        .reshape(height, width, 4)
        .copy()
    )


def _class_color(index: int) -> QColor:
    """Bright colours that differ from one number to the next: hues by the golden angle."""
    return QColor.fromHsvF((0.12 + index * 0.381966) % 1.0, 0.62, 1.0)


class _Painter:
    """Paints the parts in logical pixels."""

    def __init__(self, painter: QPainter, width: float, height: float, scale: float) -> None:
        self._p = painter
        self._width, self._height = width, height
        self._scale = scale
        self._font = QFont()
        self._font.setPixelSize(13)
        self._bold = QFont(self._font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small = QFont(self._font)
        self._small.setPixelSize(12)

    def paint(self, state: OverlayState) -> None:
        # The best last, so that its name stands above the others.
        for found in reversed(state.found):
            self._found(found)
        if state.split is not None:
            self._split(state.split, state.split_labels)
        if state.rows:
            self._rows(state.rows)
        if state.bars:
            self._bars(state.bars, state.bars_title)
        if state.recording:
            self._recording(state.recording)
        if state.waiting:
            self._pill(state.waiting, self._height / 2)
        if state.toast:
            self._pill(state.toast, self._height - 40)

    def _box(self, rect: QRectF, radius: float = 7.0) -> None:
        path = QPainterPath()
        path.addRoundedRect(rect, radius, radius)
        self._p.fillPath(path, _GROUND)

    def _text(self, x: float, y: float, text: str, font: QFont, color: QColor) -> None:
        self._p.setFont(font)
        self._p.setPen(color)
        self._p.drawText(QPointF(x, y), text)

    def _found(self, found: FoundBox) -> None:
        color = _class_color(found.index)
        scale = self._scale
        rect = QRectF(
            QPointF(found.left / scale, found.top / scale), QPointF(found.right / scale, found.bottom / scale)
        )
        # A dark line around the coloured one, because the picture may have any colour.
        for pen in (QPen(_GROUND, 4.0), QPen(color, 2.0)):
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            self._p.setPen(pen)
            self._p.setBrush(Qt.BrushStyle.NoBrush)
            self._p.drawRect(rect)
        self._tag(rect, found.label, color)

    def _tag(self, rect: QRectF, text: str, color: QColor) -> None:
        visible = rect.intersected(QRectF(0.0, 0.0, self._width, self._height))
        if visible.width() < 24 or visible.height() < 16:
            return
        metrics = QFontMetricsF(self._bold)
        room = max(visible.width(), min(160.0, self._width - visible.left())) - 12
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        width, height = metrics.horizontalAdvance(text) + 12, metrics.height() + 4
        # Above the box where there is room, inside it otherwise.
        top = rect.top() - height - 1 if rect.top() > height + 1 else visible.top() + 1
        ground = QRectF(visible.left() - 1, top, width, height)
        self._p.fillRect(ground, color)
        self._text(
            ground.left() + 6, ground.top() + 2 + metrics.ascent(), text, self._bold, QColor("#101214")
        )

    def _rows(self, rows: tuple[tuple[str, str], ...]) -> None:
        metrics, small = QFontMetricsF(self._font), QFontMetricsF(self._small)
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
            self._text(_MARGIN + 10, y, label, self._small, _MUTED)
            self._text(_MARGIN + width - 10 - metrics.horizontalAdvance(value), y, value, self._font, _TEXT)

    def _bars(self, bars: tuple[Bar, ...], title: str) -> None:
        metrics, small = QFontMetricsF(self._font), QFontMetricsF(self._small)
        width = min(270.0, self._width - 2 * _MARGIN)
        row = metrics.height() + 11
        height = row * len(bars) + small.height() + 19
        top = self._height - _MARGIN - height
        if top < _MARGIN or width < 120:
            return
        self._box(QRectF(_MARGIN, top, width, height))
        inner = width - 20
        name = small.elidedText(title, Qt.TextElideMode.ElideMiddle, inner)
        self._text(_MARGIN + 10, top + 9 + small.ascent(), name, self._small, _MUTED)
        for i, bar in enumerate(bars):
            y = top + 14 + small.height() + i * row
            percent = f"{bar.value * 100:.0f} %"
            space = inner - metrics.horizontalAdvance("100 %") - 8
            font = self._bold if i == 0 else self._font
            label = QFontMetricsF(font).elidedText(bar.label, Qt.TextElideMode.ElideRight, space)
            self._text(_MARGIN + 10, y + metrics.ascent(), label, font, _TEXT)
            end = _MARGIN + 10 + inner - metrics.horizontalAdvance(percent)
            self._text(end, y + metrics.ascent(), percent, self._font, _MUTED)
            track = QRectF(_MARGIN + 10, y + metrics.height() + 2, inner, 3)
            self._p.fillRect(track, QColor(255, 255, 255, 36))
            self._p.fillRect(QRectF(track.x(), track.y(), inner * max(0.0, min(1.0, bar.value)), 3), _ACCENT)

    def _pill(self, text: str, middle: float) -> None:
        metrics = QFontMetricsF(self._bold)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, self._width - 60)
        width = metrics.horizontalAdvance(text) + 30
        height = metrics.height() + 14
        rect = QRectF((self._width - width) / 2, middle - height / 2, width, height)
        self._box(rect, height / 2)
        self._text(rect.x() + 15, rect.y() + 7 + metrics.ascent(), text, self._bold, _TEXT)

    def _recording(self, elapsed: str) -> None:
        metrics = QFontMetricsF(self._bold)
        width = metrics.horizontalAdvance(elapsed) + 38
        rect = QRectF(self._width - _MARGIN - width, _MARGIN, width, metrics.height() + 10)
        self._box(rect, rect.height() / 2)
        self._p.setPen(Qt.PenStyle.NoPen)
        self._p.setBrush(QColor("#ff4d42"))
        self._p.drawEllipse(QPointF(rect.x() + 15, rect.center().y()), 5, 5)
        self._text(rect.x() + 26, rect.y() + 5 + metrics.ascent(), elapsed, self._bold, _TEXT)

    def _split(self, share: float, labels: tuple[str, str]) -> None:
        x = share * self._width
        middle = self._height / 2
        self._p.setPen(QPen(QColor(0, 0, 0, 120), 1))
        self._p.setBrush(QColor(245, 246, 248, 235))
        self._p.drawEllipse(QPointF(x, middle), 13, 13)
        self._p.setPen(QPen(QColor(30, 32, 36), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for side in (-1, 1):
            tip = QPointF(x + side * 8, middle)
            self._p.drawLine(tip, QPointF(x + side * 4, middle - 4))
            self._p.drawLine(tip, QPointF(x + side * 4, middle + 4))
        metrics = QFontMetricsF(self._small)
        for side, label in zip((-1, 1), labels, strict=True):
            width = metrics.horizontalAdvance(label) + 16
            left = x - 10 - width if side < 0 else x + 10
            if not label or left < 0 or left + width > self._width:
                continue
            rect = QRectF(left, self._height - _MARGIN - metrics.height() - 8, width, metrics.height() + 8)
            self._box(rect, 5)
            self._text(rect.x() + 8, rect.y() + 4 + metrics.ascent(), label, self._small, _TEXT)
