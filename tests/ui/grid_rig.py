"""Four pictures of one color each for the tiles of a grid, and what is seen of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from desktop.outputs.still import write_image

COLORS = {"red": (220, 30, 20), "green": (20, 200, 40), "blue": (10, 40, 230), "white": (250, 250, 250)}


def write_pictures(folder: Path) -> dict[str, Path]:
    """Write the pictures, 64 x 36; each by its color's name."""
    for name, color in COLORS.items():
        picture = np.full((36, 64, 4), 255, np.uint8)
        picture[..., :3] = color
        write_image(picture, folder / f"{name}.png")
    return {name: folder / f"{name}.png" for name in COLORS}


def shown(grid) -> list[str]:
    """The color that each tile's picture has in its middle, by name, after its chain; '' for none."""
    names = []
    for tile in grid.tiles:
        pending = tile.source_pipeline.pipeline.export()
        names.append("" if pending is None else name_of(pending.result()[18, 32, :3]))
    return names


def name_of(color: np.ndarray) -> str:
    """The name of a color, 'not ...' for its complement."""
    for name, known in COLORS.items():
        for said, value in ((name, np.array(known)), (f"not {name}", 255 - np.array(known))):
            if np.abs(color.astype(int) - value).max() <= 2:
                return said
    return str(tuple(map(int, color)))


def drop_at(ui, point: QPointF, *paths) -> None:
    """Drop files on a place of the picture (logical pixels)."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at = QPointF(ui.window.viewport.mapTo(ui.window, point.toPoint()))
    action, button, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    # Qt hands a drop on only to what has taken its coming.
    QApplication.sendEvent(ui.window, QDragEnterEvent(at.toPoint(), action, data, button, none))
    QApplication.sendEvent(ui.window, QDropEvent(at, action, data, button, none))


def middle_of(ui, number: int) -> QPoint:
    """The middle of a tile on the viewport, in logical pixels."""
    viewport = ui.window.viewport
    area = ui.window.grid_view._places(viewport.canvas_size)[number]
    ratio = viewport.devicePixelRatioF()
    return QPoint(round((area.x + area.width / 2) / ratio), round((area.y + area.height / 2) / ratio))
