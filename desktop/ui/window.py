"""The window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from desktop.ui import theme as themes
from desktop.ui.chain_panel import ChainPanel
from desktop.ui.controller import Controller
from desktop.ui.overlay import OverlayState, paint_overlay
from desktop.ui.viewport import Viewport
from desktop.ui.widgets import Themed


class Window(QMainWindow):
    """The window. `first_picture` tells that the first picture was drawn."""

    first_picture = Signal()

    def __init__(self, app: QApplication, controller: Controller) -> None:
        super().__init__()
        self._app = app
        self.controller = controller
        themes.apply(app, themes.resolve(controller.settings.theme))
        self.themed = Themed(themes.resolve(controller.settings.theme))
        app.aboutToQuit.connect(self.shutdown)
        self.viewport = Viewport(controller.engine, controller.playback.take, self)
        self.setCentralWidget(self.viewport)
        self.chain_panel = ChainPanel(controller, self.themed)
        dock = QDockWidget(self.tr("Chain"), self)
        dock.setObjectName("chain")
        dock.setWidget(self.chain_panel)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        self._down = False
        self.viewport.presented.connect(self.first_picture)
        controller.playback.woken.connect(self.viewport.wake)
        controller.progressed.connect(self.viewport.wake)
        controller.engine_rebuilt.connect(self.viewport.reconfigure)
        self._ticks = QTimer(self)
        self._ticks.setInterval(250)
        self._ticks.timeout.connect(self._refresh)
        self._ticks.start()
        self.resize(1280, 800)

    def start(self, paths: list[str], *, preset: Path | None = None, empty: bool = False) -> None:
        if preset is not None:
            self.controller.load_preset(preset)
        if paths:
            self.controller.drop(paths)
        elif not empty:
            self.controller.open("sample")

    def _refresh(self) -> None:
        self.chain_panel.update_figures()
        s = self.controller.engine.pipeline.stats
        rows = (("FPS", f"{s.fps:.1f}"), ("Latency p50", f"{s.latency_ms.p50 or 0:.1f} ms"), ("GPU", f"{s.gpu_ms or 0:.2f} ms"))
        w, h = self.viewport.device_size
        self.viewport.set_overlay(paint_overlay(OverlayState(rows=rows), w, h, self.devicePixelRatioF()))

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()

    def shutdown(self) -> None:
        if self._down:
            return
        self._down = True
        self._ticks.stop()
        self.viewport.shutdown()
        self.controller.close()
