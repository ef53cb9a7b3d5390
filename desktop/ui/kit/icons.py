"""Icons: SVG files of `assets/icons`, drawn in a theme's color."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop.base.resources import resource


@lru_cache(maxsize=256)
def _text(name: str) -> str:
    return resource("assets", "icons", f"{name}.svg").read_text(encoding="utf-8")


def app_icon() -> QIcon:
    """Return the icon of the program's windows."""
    return QIcon(pixmap("lightloom", "#000000", 128, 1.0))


def pixmap(name: str, color: str, size: int = 18, ratio: float = 2.0) -> QPixmap:
    """Draw an icon file, with `color` for 'currentColor', in logical pixels at a device pixel ratio."""
    renderer = QSvgRenderer(QByteArray(_text(name).replace("currentColor", color).encode()))
    image = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


@lru_cache(maxsize=512)
def icon(name: str, color: str, checked: str = "") -> QIcon:
    """Return an icon in `color`, and in `checked` for a checked button."""
    result = QIcon()
    # Only for the scales of connected screens: drawing an SVG takes a millisecond, for some forty buttons.
    for ratio in {screen.devicePixelRatio() for screen in QGuiApplication.screens()} or {1.0}:
        result.addPixmap(pixmap(name, color, ratio=ratio))
        if checked:
            result.addPixmap(pixmap(name, checked, ratio=ratio), QIcon.Mode.Normal, QIcon.State.On)
    return result
