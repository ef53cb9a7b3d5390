"""Composition root of the window: makes the application, the `Gpu`, the `Engine` and the window, and holds them together."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

_TRACE = "LIGHTLOOM_STARTUP_TRACE"


def run_app(
    paths: Sequence[str] = (), *, adapter: str | None = None, preset: str | None = None, empty: bool = False
) -> int:
    """Open the window and run it until it is closed.

    Args:
        paths: what to open: videos, images, folders, addresses, models, filters, presets; none opens the sample.
        adapter: part of an adapter's name, as for `Gpu.open`; by default the one chosen in the window, or the best.
        preset: a preset file to begin with.
        empty: begin with nothing open.

    Returns:
        the process's exit status.

    Raises:
        GpuError: no device can be made.
    """
    from PySide6.QtCore import QCoreApplication, Qt
    from PySide6.QtWidgets import QApplication

    # The canvas is a native window; without this all its siblings would become native too, and flicker.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    from desktop.ui.launch import open_window

    window = open_window(app, adapter=adapter)
    window.show()
    window.start(paths, preset=preset, empty=empty)
    return app.exec()
