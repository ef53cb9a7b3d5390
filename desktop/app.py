"""Composition root of the window: makes the application, the `Gpu`, the `Engine` and the window, and holds them together."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop.ui.settings import Settings
    from desktop.ui.window import Window

_TRACE: Final = "LIGHTLOOM_STARTUP_TRACE"


def run_app(
    paths: Sequence[str] = (), *, adapter: str | None = None, preset: str | None = None, empty: bool = False
) -> int:
    """Open the window and run it until it is closed.

    Args:
        paths: what to open: videos, images, folders, addresses, models, filters, presets; none opens the sample.
        adapter: part of an adapter's name, as for `Gpu.open`; by default the one chosen in the window before, or the best.
        preset: a preset file to begin with.
        empty: begin with nothing open.

    Returns:
        the process's exit status.

    Raises:
        GpuError: no device can be made.
    """
    from desktop.ui.settings import Settings, start_logging

    start_logging()
    app = make_application()
    window = make_window(app, Settings.load(), adapter=adapter)
    if os.environ.get(_TRACE):
        window.first_picture.connect(_print_startup_time)
    window.show()
    window.start(list(paths), preset=Path(preset) if preset else None, empty=empty)
    status = app.exec()
    window.shutdown()
    return status


def make_application() -> QApplication:
    """Return the process's QApplication, made if there is none."""
    from PySide6.QtCore import QCoreApplication, Qt
    from PySide6.QtWidgets import QApplication

    # The canvas is a native window; without this all its siblings would become native too, and flicker.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("lightloom")
    app.setApplicationDisplayName("Lightloom")
    app.setDesktopFileName("lightloom")
    return app


def make_window(app: QApplication, settings: Settings, *, adapter: str | None = None) -> Window:
    """Return the window on a device of its own; not shown yet.

    Raises:
        GpuError: no device can be made.
    """
    from importlib.metadata import version

    from desktop.compute.engine import Engine
    from desktop.compute.filters import FilterLibrary
    from desktop.compute.gpu import Gpu
    from desktop.errors import NoAdapterError
    from desktop.paths import user_filter_folder
    from desktop.ui.controller import Controller, load_network
    from desktop.ui.window import Window

    chosen = adapter or settings.adapter or None

    def open_gpu() -> Gpu:
        try:
            return Gpu.open(chosen)
        except NoAdapterError:
            if adapter is not None or chosen is None:
                raise
            # The adapter of the settings is gone (an external GPU, another machine): the best one will do, and is shown.
            return Gpu.open()

    library = FilterLibrary(user_filter_folder())
    engine = Engine(open_gpu, library, load_network)
    return Window(app, Controller(engine, settings), diagnose, version("lightloom"))


def diagnose() -> str:
    """Return what `lightloom doctor` finds, as text."""
    from desktop.doctor import examine

    return "\n".join(f"{'ok' if f.ok else 'problem'}  {f.what}: {f.detail}" for f in examine())


def _print_startup_time() -> None:
    """Print how long ago the process began."""
    print(f"first picture after {_process_age() * 1e3:.0f} ms", flush=True)


def _process_age() -> float:
    # Since the kernel started the process: the interpreter's own start counts for the user too.
    try:
        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        uptime = float(Path("/proc/uptime").read_text().split()[0])
        return uptime - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return time.process_time()
