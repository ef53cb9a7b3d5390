"""Widgets that paint the scopes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.pipeline.scopes.values import CODES, SIDE, ScopeValues
from desktop.ui.kit.widgets import Themed

RGB: Final = (0, 1, 2)
LUMA: Final = 3
_COLORS: Final = {
    "dark": ("#ff6b62", "#5fd38a", "#6fa2ff"),
    "light": ("#c62828", "#1b7f3b", "#2458c7"),
}
_MARGIN: Final = 6.0
# Brightness of a bin for each share of its column's pixels that it has; bright enough for single lines.
_GAIN: Final = 40.0
# Cb and Cr of the primaries at 75 %, by BT.709, in the order in which they go around.
_TARGETS: Final = (
    ("R", (0.75, 0.0, 0.0)),
    ("Mg", (0.75, 0.0, 0.75)),
    ("B", (0.0, 0.0, 0.75)),
    ("Cy", (0.0, 0.75, 0.75)),
    ("G", (0.0, 0.75, 0.0)),
    ("Yl", (0.75, 0.75, 0.0)),
)
# The angle of the I axis of NTSC, near which skin of all tones lies, in degrees from +Cb to +Cr.
_SKIN: Final = 123.0


def chroma_of(color: tuple[float, float, float]) -> tuple[float, float]:
    """Return Cb and Cr (BT.709), -0.5..0.5, of R'G'B' 0..1."""
    red, green, blue = color
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return (blue - luma) / 1.8556, (red - luma) / 1.5748


def brightness(counts: np.ndarray, whole: np.ndarray | float) -> np.ndarray:
    """Return uint8 of the shape of `counts`: how bright a bin is drawn; `whole` counts make its column."""
    shares = counts / np.maximum(whole, 1)
    return (255.0 * (1.0 - np.exp(-_GAIN * shares))).astype(np.uint8)


def _image(alpha: np.ndarray, color: np.ndarray | Sequence[int]) -> QImage:
    """Return an image of a color, or of a color for each bin, by its opacity; row 0 below."""
    height, width = alpha.shape
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[..., :3] = color
    pixels[..., 3] = alpha
    pixels = np.ascontiguousarray(pixels[::-1])
    return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888).copy()


class ScopeView(QWidget):
    """A scope. Subclasses paint `values` into a rectangle."""

    accessible_role = QAccessible.Role.Chart

    def __init__(self, themed: Themed, name: str) -> None:
        super().__init__()
        self._themed = themed
        self._values: ScopeValues | None = None
        self.setMinimumSize(120, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(name)
        themed.follow(self._dress)

    def sizeHint(self) -> QSize:
        return QSize(220, 150)

    def _dress(self) -> None:
        self.show_values(self._values)

    @property
    def values(self) -> ScopeValues | None:
        """The values shown."""
        return self._values

    def show_values(self, values: ScopeValues | None) -> None:
        """Show other values; None for none."""
        self._values = values
        self.prepare()
        self.update()

    def prepare(self) -> None:
        """Make what is painted from the values."""

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._themed.theme
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(whole, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self.paint(painter, whole.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN))

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the scope."""
        raise NotImplementedError

    def color(self, channel: int) -> QColor:
        """The color of a channel in the theme."""
        theme = self._themed.theme
        return QColor(theme.text if channel == LUMA else _COLORS[theme.name][channel])


class HistogramView(ScopeView):
    """Histogram of R, G and B as areas and of luma as a line, from code 0 at the left to 255."""

    def prepare(self) -> None:
        self._heights = np.zeros((4, CODES))
        if self._values is None:
            return
        counts = self._values.histogram
        # A few codes with most of the pixels, often the clipped ones, would flatten all the rest.
        top = np.quantile(counts, 0.99) or counts.max()
        self._heights = np.minimum(1.0, counts / max(float(top), 1.0))

    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setPen(QPen(QColor(self._themed.theme.line), 1))
        for quarter in (1, 2, 3):
            x = area.left() + area.width() * quarter / 4
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        xs = area.left() + area.width() * np.arange(CODES) / (CODES - 1)
        for channel in (*RGB, LUMA):
            ys = area.bottom() - area.height() * self._heights[channel]
            curve = [QPointF(x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]
            color = self.color(channel)
            painter.setPen(QPen(color, 1.2))
            if channel == LUMA:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolyline(QPolygonF(curve))
                continue
            painter.setBrush(QColor(color.red(), color.green(), color.blue(), 70))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPolygon(QPolygonF([area.bottomLeft(), *curve, area.bottomRight()]))


class WaveformView(ScopeView):
    """Waveforms side by side: codes of a channel, 0 below and 255 on top, for each column of the frame."""

    def __init__(self, themed: Themed, name: str, channels: Sequence[int]) -> None:
        self._channels = tuple(channels)
        self._images: list[QImage] = []
        super().__init__(themed, name)

    def prepare(self) -> None:
        self._images = []
        if self._values is None or self._values.waveform is None:
            return
        for channel in self._channels:
            counts = self._values.waveform[channel]
            color = self.color(channel)
            shade = brightness(counts, counts.sum(axis=0))
            self._images.append(_image(shade, (color.red(), color.green(), color.blue())))

    def paint(self, painter: QPainter, area: QRectF) -> None:
        theme = self._themed.theme
        metrics = QFontMetricsF(painter.font())
        left = area.left() + metrics.horizontalAdvance("255") + 5
        for code in (0, 64, 128, 192, 255):
            y = area.bottom() - area.height() * code / 255
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(left, y), QPointF(area.right(), y))
            if code in (0, 128, 255):
                painter.setPen(QColor(theme.muted))
                text, half = str(code), (metrics.ascent() - metrics.descent()) / 2
                baseline = min(max(y + half, area.top() + metrics.ascent()), area.bottom())
                painter.drawText(QPointF(left - 5 - metrics.horizontalAdvance(text), baseline), text)
        width = (area.right() - left) / len(self._channels)
        for number, image in enumerate(self._images):
            painter.drawImage(QRectF(left + number * width, area.top(), width - 2, area.height()), image)


class VectorscopeView(ScopeView):
    """Colors by Cb (to the right) and Cr (upward), with targets of 75 % and the line of skin tones."""

    def __init__(self, themed: Themed, name: str) -> None:
        self._image: QImage | None = None
        super().__init__(themed, name)

    def _dress(self) -> None:
        axis = (np.arange(SIDE) - 64) / 126
        cb, cr = axis[None, :], axis[:, None]
        luma = 0.6 if self._themed.theme.name == "dark" else 0.4
        red, blue = luma + 1.5748 * cr + 0 * cb, luma + 1.8556 * cb + 0 * cr
        green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
        self._hues = (np.dstack((red, green, blue)).clip(0, 1) * 255).astype(np.uint8)
        super()._dress()

    def prepare(self) -> None:
        self._image = None
        if self._values is not None and self._values.vectorscope is not None:
            counts = self._values.vectorscope
            self._image = _image(brightness(counts, self._values.count / SIDE), self._hues)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        theme = self._themed.theme
        radius = min(area.width(), area.height()) / 2
        middle = area.center()

        def place(cb: float, cr: float) -> QPointF:
            return QPointF(middle.x() + 2 * cb * radius, middle.y() - 2 * cr * radius)

        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawEllipse(middle, radius, radius)
        painter.drawLine(place(-0.5, 0), place(0.5, 0))
        painter.drawLine(place(0, -0.5), place(0, 0.5))
        if self._image is not None:
            # Bins are 1/126 wide, and bin 64 has its middle in the middle.
            half = SIDE / 126
            corner = place(-64.5 / 126, 63.5 / 126)
            painter.drawImage(
                QRectF(corner.x(), corner.y(), 2 * half * radius, 2 * half * radius), self._image
            )
        angle = math.radians(_SKIN)
        painter.setPen(QPen(QColor(theme.warning), 1.4))
        painter.drawLine(middle, place(0.5 * math.cos(angle), 0.5 * math.sin(angle)))
        painter.setPen(QPen(QColor(theme.outline), 1))
        metrics = QFontMetricsF(painter.font())
        for name, color in _TARGETS:
            at = place(*chroma_of(color))
            painter.drawRect(QRectF(at.x() - 4, at.y() - 4, 8, 8))
            if radius > 60:
                painter.setPen(QColor(theme.muted))
                painter.drawText(QPointF(at.x() + 7, at.y() + metrics.ascent() / 2 - 1), name)
                painter.setPen(QPen(QColor(theme.outline), 1))
