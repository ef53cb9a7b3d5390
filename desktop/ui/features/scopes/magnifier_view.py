"""The magnified pixels as squares, with the position and the values of the one in the middle."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QWidget

from desktop.pipeline.scopes.values import MAGNIFIED, MagnifiedPixels
from desktop.ui.features.scopes.scopes import Notation, Scopes
from desktop.ui.kit.widgets import Themed, WrappedLabel, column

_SIDE: Final = 132


class PixelSquares(QWidget):
    """The pixels, enlarged without smoothing; the one in the middle has a frame."""

    def __init__(self, themed: Themed, name: str) -> None:
        super().__init__()
        self._themed = themed
        self.pixels: MagnifiedPixels | None = None
        self.setAccessibleName(name)
        self.setFixedSize(QSize(_SIDE, _SIDE))

    def show_pixels(self, pixels: MagnifiedPixels | None) -> None:
        """Show pixels; None for none."""
        self.pixels = pixels
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.pixels is not None:
            codes = np.nan_to_num(self.pixels.pixels[..., :3]).clip(0, 1) * 255 + 0.5
            side = len(codes)
            bytes_ = np.ascontiguousarray(codes.astype(np.uint8)).tobytes()
            image = QImage(bytes_, side, side, 3 * side, QImage.Format.Format_RGB888)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.drawImage(area, image)
            cell = area.width() / side
            middle = side // 2 * cell
            # Light on dark, so that it is seen on every color.
            for color, inset in ((QColor("black"), -1.0), (QColor("white"), 0.0)):
                painter.setPen(QPen(color, 1))
                frame = QRectF(area.left() + middle, area.top() + middle, cell, cell)
                painter.drawRect(frame.adjusted(inset, inset, -inset, -inset))
        painter.setPen(QPen(QColor(self._themed.theme.outline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)


class MagnifierView(QWidget):
    """The magnifier's part of the panel: squares, position and values, and how they are shown."""

    def __init__(self, scopes: Scopes, themed: Themed) -> None:
        super().__init__()
        self._scopes = scopes
        self.squares = PixelSquares(themed, self.tr("Magnified pixels"))
        self.position = WrappedLabel()
        self.values = WrappedLabel()
        self.values.setAccessibleName(self.tr("Values of the pixel"))
        flags = Qt.TextInteractionFlag
        self.values.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        notations: dict[Notation, str] = {
            "codes": self.tr("0 to 255"),
            "shares": self.tr("0 to 1"),
            "hex": self.tr("Hexadecimal"),
        }
        self.notation = self._list(notations, self.tr("Notation of the values"))
        self.notation.activated.connect(lambda row: scopes.set_notation(self.notation.itemData(row)))
        sides = {side: self.tr("{0} × {0} pixels").format(side) for side in MAGNIFIED}
        self.side = self._list(sides, self.tr("Pixels that are magnified"))
        self.side.activated.connect(lambda row: scopes.set_side(self.side.itemData(row)))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.squares, 0, Qt.AlignmentFlag.AlignTop)
        beside = QWidget()
        lines = column(beside, 0, 4)
        for widget in (self.position, self.values, self.notation, self.side):
            lines.addWidget(widget)
        lines.addStretch(1)
        row.addWidget(beside, 1)

    @staticmethod
    def _list(texts: dict[Notation, str] | dict[int, str], name: str) -> QComboBox:
        box = QComboBox()
        for value, text in texts.items():
            box.addItem(text, value)
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        return box

    def show_pixels(self, pixels: MagnifiedPixels | None) -> None:
        """Show pixels and the choices; None for none."""
        self.notation.setCurrentIndex(self.notation.findData(self._scopes.notation))
        self.side.setCurrentIndex(self.side.findData(self._scopes.side))
        if pixels is not self.squares.pixels:
            self.squares.show_pixels(pixels)
        if pixels is None:
            self.position.setText("–")
            self.values.setText("–")
            return
        self.position.setText(self.tr("Pixel {0}, {1} of {2} × {3}").format(*pixels.center, *pixels.size))
        self.values.setText(self.tr("RGBA {0}").format(self._scopes.values_text(pixels)))
        self.squares.setAccessibleDescription(f"{self.position.plain}: {self.values.plain}")
