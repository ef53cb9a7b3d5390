"""Paint the overlay into an image that is blended with the frame, when presenting or exporting it.

Qt widgets do not blend with the native window below: text is painted here, and uploaded only on a change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen

from desktop.overlay.layout import (
    Area,
    Chosen,
    ClassGround,
    ColorName,
    Corner,
    FontName,
    Fonts,
    Frame,
    Ground,
    Guide,
    Handle,
    Heat,
    Mark,
    Outline,
    OverlayState,
    Pin,
    RecordingDot,
    Strokes,
    Track,
    Trail,
    Words,
    lay_out,
)
from desktop.overlay.subtitles import Caption, CaptionImage, paint_caption, paint_image

_GROUND: Final = QColor(12, 13, 16, 212)
_ACCENT: Final = QColor("#46b8a6")
_COLORS: Final[Mapping[ColorName, QColor]] = {
    "text": QColor("#f2f4f6"),
    "muted": QColor("#b4bcc6"),
    "on class": QColor("#101214"),
}


def paint_overlay(state: OverlayState, width: int, height: int, scale: float) -> np.ndarray | None:
    """Paint a state as uint8 [height, width, 4], R'G'B'A premultiplied; None if there is nothing to show. The
    size is in device pixels, `scale` device pixels per logical pixel.
    """
    if state.is_empty or width < 1 or height < 1:
        return None
    image = QImage(width, height, QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.scale(scale, scale)
    paint_state(painter, state, width / scale, height / scale, scale)
    painter.end()
    bits: Any = image.constBits()
    return (
        np.frombuffer(bits, np.uint8)
        .reshape(height, image.bytesPerLine())[:, : width * 4]
        .reshape(height, width, 4)
        .copy()
    )


def paint_state(painter: QPainter, state: OverlayState, width: float, height: float, scale: float) -> None:
    """Paint a state in a painter's logical pixels: of a widget, or of a scaled image. The state's positions
    are device pixels, `scale` of them per logical pixel.
    """
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    fonts = Fonts(width, height)
    for mark in lay_out(state, fonts, width, height, scale):
        _paint(painter, mark, fonts.by_name)


def class_color(index: int) -> QColor:
    """Return a bright color that differs from those of neighboring indices: hues by the golden angle."""
    return QColor.fromHsvF((0.12 + index * 0.381966) % 1.0, 0.62, 1.0)


def _paint(painter: QPainter, mark: Mark, fonts: Mapping[FontName, QFont]) -> None:
    match mark:
        case Ground():
            path = QPainterPath()
            path.addRoundedRect(mark.rect, mark.radius, mark.radius)
            painter.fillPath(path, _GROUND)
        case ClassGround():
            painter.fillRect(mark.rect, class_color(mark.index))
        case Words():
            painter.setFont(fonts[mark.font])
            painter.setPen(_COLORS[mark.color])
            painter.drawText(QPointF(mark.x, mark.y), mark.text)
        case Outline():
            _paint_outline(painter, mark)
        case Chosen():
            for pen in (QPen(_GROUND, 7.0), QPen(QColor("#ffffff"), 3.0)):
                pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
                painter.strokePath(mark.path, pen)
        case Trail():
            pen = QPen(class_color(mark.index), 2.0)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.strokePath(mark.path, pen)
        case Area():
            fill = class_color(mark.index)
            fill.setAlpha(48)
            painter.fillPath(mark.path, fill)
            _paint_outline(painter, Outline(mark.path, mark.index))
        case Guide():
            for pen in (QPen(_GROUND, 3.5), QPen(QColor("#ffffff"), 1.5)):
                painter.strokePath(mark.path, pen)
        case Strokes():
            _paint_strokes(painter, mark)
        case Corner():
            _paint_corner(painter, mark)
        case Heat():
            _paint_heat(painter, mark)
        case Track():
            rect = mark.rect
            painter.fillRect(rect, QColor(255, 255, 255, 36))
            painter.fillRect(QRectF(rect.x(), rect.y(), rect.width() * mark.share, rect.height()), _ACCENT)
        case Caption():
            paint_caption(painter, mark)
        case CaptionImage():
            paint_image(painter, mark)
        case RecordingDot():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor("#ff4d42"))
            painter.drawEllipse(mark.center, 5, 5)
        case Pin():
            _paint_pin(painter, mark)
        case Frame():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for pen in (QPen(_GROUND, 4.0), QPen(QColor("#ffffff"), 1.5, Qt.PenStyle.DashLine)):
                painter.setPen(pen)
                painter.drawRect(mark.rect)
        case Handle():
            _paint_handle(painter, mark.center)


def _paint_outline(painter: QPainter, outline: Outline) -> None:
    # A dark line around the colored one, because the frame may have any color.
    for pen in (QPen(_GROUND, 4.0), QPen(class_color(outline.index), 2.0)):
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline.path)


def _paint_strokes(painter: QPainter, strokes: Strokes) -> None:
    pen = QPen(QColor(_ACCENT.red(), _ACCENT.green(), _ACCENT.blue(), 90), max(strokes.width, 1.0))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.strokePath(strokes.path, pen)


def _paint_corner(painter: QPainter, corner: Corner) -> None:
    painter.setPen(QPen(QColor(0, 0, 0, 200), 1.5))
    painter.setBrush(_ACCENT if corner.chosen else QColor(245, 246, 248))
    painter.drawRect(QRectF(corner.center.x() - 5, corner.center.y() - 5, 10, 10))


def _paint_pin(painter: QPainter, pin: Pin) -> None:
    # Signs, because not everybody can tell green from red.
    painter.setPen(QPen(QColor(255, 255, 255), 1.5))
    painter.setBrush(QColor("#1d9a57") if pin.inside else QColor("#d23b3b"))
    painter.drawEllipse(pin.center, 7, 7)
    painter.setPen(QPen(QColor(255, 255, 255), 2))
    x, y = pin.center.x(), pin.center.y()
    painter.drawLine(QPointF(x - 3.5, y), QPointF(x + 3.5, y))
    if pin.inside:
        painter.drawLine(QPointF(x, y - 3.5), QPointF(x, y + 3.5))


def _paint_heat(painter: QPainter, heat: Heat) -> None:
    image = QImage(heat.image.pixels, heat.image.width, heat.image.height, QImage.Format.Format_RGBA8888)
    if heat.mirrored:
        image = image.mirrored(True, False)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(heat.rect, image)


def _paint_handle(painter: QPainter, center: QPointF) -> None:
    x, middle = center.x(), center.y()
    painter.setPen(QPen(QColor(0, 0, 0, 120), 1))
    painter.setBrush(QColor(245, 246, 248, 235))
    painter.drawEllipse(center, 13, 13)
    painter.setPen(QPen(QColor(30, 32, 36), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for side in (-1, 1):
        tip = QPointF(x + side * 8, middle)
        painter.drawLine(tip, QPointF(x + side * 4, middle - 4))
        painter.drawLine(tip, QPointF(x + side * 4, middle + 4))
