"""Paint a network's result into a thumbnail: outlines of objects, and the class of the image."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from desktop.overlay.painting import class_color
from desktop.pipeline.network_previews import NetworkPreview
from desktop.vision.tasks.shapes import Box, Label, Line, Points, Polygon, Shape, color_number

_GROUND: Final = QColor(0, 0, 0, 165)


def result_image(preview: NetworkPreview, side: int) -> QImage:
    """Return a preview as an image in a square of `side` pixels, with the result's shapes."""
    height, width = preview.pixels.shape[:2]
    pixels = preview.pixels
    whole = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888)
    scale = side / max(width, height)
    size = QSize(max(1, round(width * scale)), max(1, round(height * scale)))
    image = whole.scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    ).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    if preview.shapes:
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for shape in preview.shapes:
            _draw(painter, shape, size)
        _write_class(painter, preview.shapes, size)
        painter.end()
    return image


def _draw(painter: QPainter, shape: Shape, size: QSize) -> None:
    width = max(1.5, size.width() / 80)
    painter.setPen(QPen(class_color(color_number(shape)), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if isinstance(shape, Box):
        painter.drawRect(
            QRectF(
                QPointF(shape.left * size.width(), shape.top * size.height()),
                QPointF(shape.right * size.width(), shape.bottom * size.height()),
            )
        )
    elif isinstance(shape, Polygon | Line | Points):
        points = [QPointF(x * size.width(), y * size.height()) for x, y in shape.points]
        if isinstance(shape, Polygon):
            painter.drawPolygon(QPolygonF(points))
        elif isinstance(shape, Line):
            painter.drawPolyline(QPolygonF(points))
        else:
            for first, second in shape.edges:
                painter.drawLine(points[first], points[second])
            for index, point in enumerate(points):
                if shape.is_visible(index):
                    painter.drawEllipse(point, width / 2, width / 2)


def _write_class(painter: QPainter, shapes: tuple[Shape, ...], size: QSize) -> None:
    """Write the most probable class of the image at the lower edge."""
    labels = [shape for shape in shapes if isinstance(shape, Label) and not shape.colored and shape.label]
    if not labels:
        return
    best = max(labels, key=lambda label: label.value)
    font = QFont(painter.font())
    font.setPixelSize(max(9, round(size.width() / 12)))
    metrics = QFontMetricsF(font)
    text = metrics.elidedText(best.label, Qt.TextElideMode.ElideRight, size.width() * 0.8)
    ground = QRectF(0, 0, metrics.horizontalAdvance(text) + 10, metrics.height() + 2)
    ground.moveBottomLeft(QPointF(5, size.height() - 5))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_GROUND)
    painter.drawRoundedRect(ground, 4, 4)
    painter.setFont(font)
    painter.setPen(QColor("#ffffff"))
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)
