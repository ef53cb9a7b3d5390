"""Paint texts of layers with the font that comes with the program, so that they look alike on every machine."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QTextLayout,
    QTextOption,
)

from desktop.base.resources import resource
from desktop.overlay.utf16 import utf16_part
from desktop.pipeline.layers.texts import PaintedText

# Outlines of letters are laid out in this size and scaled, as hinting to pixels differs between systems.
_LAID_OUT: Final = 128
# Around a text with a background, in heights of a line.
_MARGIN: Final = 0.15
_LARGEST: Final = 8192
_SHARES: Final = {"left": 0.0, "center": 0.5, "right": 1.0}


@cache
def _font() -> QFont:
    number = QFontDatabase.addApplicationFont(str(resource("assets", "fonts", "DejaVuSans.ttf")))
    family = QFontDatabase.applicationFontFamilies(number)
    font = QFont(family[0] if family else "DejaVu Sans")
    font.setPixelSize(_LAID_OUT)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _lines(text: str, width: float) -> list[str]:
    """Break a text into lines of at most a width, in the font's size."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        layout = QTextLayout(paragraph, _font())
        layout.setTextOption(option)
        layout.beginLayout()
        found: list[str] = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            begin = line.textStart()
            found.append(utf16_part(paragraph, begin, begin + line.textLength()).rstrip())
        layout.endLayout()
        lines += found or [""]
    return lines


def paint_text(wanted: PaintedText) -> np.ndarray:
    """Paint a text: uint8 [height, width, 4], R'G'B' with straight alpha. Needs a QGuiApplication."""
    metrics = QFontMetricsF(_font())
    scale = wanted.size / metrics.height()
    has_ground = wanted.background[3] > 0.0
    # Half of the line around letters is under them.
    edge = wanted.outline * wanted.size + (_MARGIN * wanted.size if has_ground else 0.0)
    widest = max(wanted.size, min(wanted.width, _LARGEST) - 2.0 * edge)
    lines = _lines(wanted.text, widest / scale)
    widths = [metrics.horizontalAdvance(line) * scale for line in lines]
    inner = max(widths)
    width = min(_LARGEST, max(1, math.ceil(inner + 2.0 * edge)))
    height = min(_LARGEST, max(1, math.ceil(len(lines) * wanted.size + 2.0 * edge)))
    path = QPainterPath()
    for number, (line, wide) in enumerate(zip(lines, widths, strict=True)):
        left = (inner - wide) * _SHARES[wanted.align] / scale
        path.addText(QPointF(left, number * metrics.height() + metrics.ascent()), _font(), line)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor.fromRgbF(*wanted.background))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(edge, edge)
    painter.scale(scale, scale)
    if wanted.outline > 0.0:
        pen = QPen(
            QColor.fromRgbF(0.0, 0.0, 0.0, wanted.color[3]), 2.0 * wanted.outline * wanted.size / scale
        )
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
    painter.fillPath(path, QColor.fromRgbF(*wanted.color))
    painter.end()
    straight = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(straight.constBits(), np.uint8).reshape(height, straight.bytesPerLine())
    return rows[:, : width * 4].reshape(height, width, 4).copy()
