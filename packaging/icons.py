"""Renders assets/icons/lightloom.svg into the formats that systems want: PNG (Linux), ICO (Windows), ICNS
(macOS).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SIZES: Final = (16, 24, 32, 48, 64, 128, 256, 512, 1024)


def render(folder: Path) -> dict[str, Path]:
    """Write lightloom-<size>.png, lightloom.ico and lightloom.icns into `folder`; return them by
    "16"..."1024", "ico", "icns".
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    app = QGuiApplication.instance() or QGuiApplication([])
    renderer = QSvgRenderer(str(ROOT / "assets" / "icons" / "lightloom.svg"))
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        paths[str(size)] = folder / f"lightloom-{size}.png"
        if not image.save(str(paths[str(size)])):
            raise OSError(f"{paths[str(size)]} cannot be written.")
    del app
    largest = Image.open(paths["1024"])
    paths["ico"], paths["icns"] = folder / "lightloom.ico", folder / "lightloom.icns"
    largest.save(paths["ico"], sizes=[(size, size) for size in SIZES if size <= 256])
    largest.save(paths["icns"])
    return paths
