"""The picked color before and after the chain, as a patch and in numbers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop.pipeline.scopes.values import Color, PickedColor
from desktop.ui.features.scopes.scopes import codes_of, hex_of, hsv_of
from desktop.ui.kit.widgets import Themed, WrappedLabel, muted


class _Patch(QWidget):
    """A rectangle of a color."""

    def __init__(self, themed: Themed) -> None:
        super().__init__()
        self._themed = themed
        self._color: QColor | None = None
        self.setFixedSize(QSize(26, 18))

    def show_color(self, color: QColor | None) -> None:
        """Show a color; None for none."""
        self._color = color
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._themed.theme.outline), 1))
        painter.setBrush(self._color if self._color is not None else Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


class ColorReadout(QWidget):
    """Two rows, before and after: patch, hexadecimal code, R, G, B of 0..255, and hue, saturation, value."""

    def __init__(self, themed: Themed) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        self._patches = (_Patch(themed), _Patch(themed))
        self.texts = (WrappedLabel(), WrappedLabel())
        for row, title in enumerate((self.tr("Before"), self.tr("After"))):
            grid.addWidget(muted(title, wrap=False), row, 0)
            grid.addWidget(self._patches[row], row, 1)
            text = self.texts[row]
            text.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            text.setAccessibleName(title)
            grid.addWidget(text, row, 2)
        grid.setColumnStretch(2, 1)

    def show_color(self, picked: PickedColor | None) -> None:
        """Show a picked color; None for none."""
        for row, color in enumerate((None, None) if picked is None else (picked.before, picked.after)):
            self._patches[row].show_color(None if color is None else QColor(*codes_of(color)))
            self.texts[row].setText("–" if color is None else self._text(color))

    def _text(self, color: Color) -> str:
        hue, saturation, value = hsv_of(color)
        return self.tr("{0}   RGB {1} {2} {3}   HSV {4}° {5} % {6} %").format(
            hex_of(color), *codes_of(color), hue, saturation, value
        )
