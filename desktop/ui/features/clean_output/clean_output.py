"""Clean output: a second window with nothing but the main window's texture, which is not computed again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import wgpu
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.base.errors import GpuError
from desktop.overlay.painting import paint_overlay
from desktop.overlay.result_overlay import masks_of, overlay_state
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.present import LaidOver, View, place
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import icons
from desktop.ui.kit.language import translated
from desktop.ui.workspace.canvas import Canvas
from desktop.ui.workspace.viewport import Viewport
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import title_of

TITLE: Final = "Lightloom output"
_FIRST_SIZE: Final = (960, 540)
_WINDOW: Final = "window"


class CleanCanvas(Canvas):
    """The surface; `failed` is emitted with a message when drawing has stopped."""

    failed = Signal(object)

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(workspace.engine.gpu.device, parent)
        self._workspace = workspace
        self._painted: tuple[object, np.ndarray | None] = (None, None)
        self._stopped = False
        self.setAccessibleName(self.tr("Clean output"))
        self.draw_by(self._draw)

    @property
    def _engine(self) -> Engine:
        return self._workspace.engine

    def reconfigure(self) -> None:
        """Follow the engine to a new device."""
        if not self._stopped:
            self._context.unconfigure()
            self.configure(self._engine.gpu.device)
            self.redraw()

    def redraw(self) -> None:
        """Draw the current frame."""
        if self._stopped or not self.isVisible() or self.size().isEmpty():
            return
        self.schedule_draw()

    def _draw(self) -> None:
        if self._stopped:
            return
        try:
            # A surface's texture must not be requested on a lost device.
            self._engine.recover()
            self.draw_into(self._context.get_current_texture())
        except GpuError as error:
            self._stopped = True
            self.failed.emit(str(error))

    def draw_into(self, target: wgpu.GPUTexture) -> None:
        """Draw the current frame into a texture, or raise a GpuError."""
        view = View(mirrored=self._workspace.settings.output_mirrored, background=(0.0, 0.0, 0.0))
        over = self._over(view, (target.width, target.height))
        # The last frame of a closed source is not shown here either.
        is_shown = self._workspace.playback.has_picture
        self._engine.draw_shown(target, view, over, is_shown=is_shown)

    def _over(self, view: View, size: tuple[int, int]) -> LaidOver:
        tracked_result, network = self._engine.current.tracked_result, self._workspace.edits.setup.network
        if tracked_result is None or network is None or not self._workspace.settings.output_seen:
            return LaidOver()
        picture = self._engine.current.picture_size
        key = (tracked_result, view, size, picture, self.devicePixelRatioF())
        if key != self._painted[0]:
            title, at = translated(title_of(Path(network.model))), place(view, picture, size)
            state = overlay_state(tracked_result, title, at, picture, mirrored=view.mirrored)
            self._painted = (key, paint_overlay(state, *size, self.devicePixelRatioF()))
        return LaidOver(self._painted[1], masks_of(tracked_result))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw at the new size."""
        super().resizeEvent(event)
        self.redraw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave keys to the window."""
        event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Leave it to the window."""
        event.ignore()

    def shutdown(self) -> None:
        """Stop drawing."""
        self._stopped = True
        self._context.unconfigure()


class CleanWindow(QWidget):
    """The second window. Escape closes it; a double click toggles full screen."""

    ended = Signal()

    def __init__(self, workspace: Workspace) -> None:
        # No parent: a window that has one lies above it and is minimized with it.
        super().__init__()
        self.setWindowTitle(TITLE)
        self.setWindowIcon(icons.app_icon())
        self.setAutoFillBackground(True)
        self.setStyleSheet("background: black;")
        self._settings = workspace.settings
        self.canvas = CleanCanvas(workspace, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.setMinimumSize(160, 90)

    def put(self, main: QScreen) -> None:
        """Show it on the screen of the settings; `main` is the screen of the main window."""
        screen = target_screen(self._settings.output_screen, main)
        is_window = self.isVisible() and not self.isFullScreen()
        if screen is None and is_window:
            return  # it stays where the user has put it, whatever screen was unplugged
        if is_window:
            self.store_geometry()
        if screen is None:
            self.unsetCursor()
            self.setWindowState(Qt.WindowState.WindowNoState)
            if not self.restoreGeometry(self._settings.output_geometry) or self.isFullScreen():
                self.setWindowState(Qt.WindowState.WindowNoState)
                self.resize(*_FIRST_SIZE)
            self.show()
        else:
            # Move it first: the window system fills the screen that it is on.
            self.setScreen(screen)
            self.setGeometry(screen.geometry())
            self.setCursor(Qt.CursorShape.BlankCursor)
            self.showFullScreen()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Toggle full screen."""
        self._settings.output_screen = _WINDOW if self.isFullScreen() else self.screen().name()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the current frame."""
        super().showEvent(event)
        self.canvas.redraw()

    def store_geometry(self) -> None:
        """Save the geometry."""
        if not self.isFullScreen():
            self._settings.output_geometry = self.saveGeometry()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the place, and end."""
        self.store_geometry()
        self.canvas.shutdown()
        event.accept()
        self.ended.emit()


def target_screen(chosen: str, main: QScreen, screens: Sequence[QScreen] | None = None) -> QScreen | None:
    """Return the screen to fill, or None for a window; `screens` of None queries the system.

    `chosen` is as in `Settings.output_screen`: '' or a disconnected screen takes any but the `main` window's.
    """
    if screens is None:
        screens = QGuiApplication.screens()
    if chosen == _WINDOW:
        return None
    named = next((screen for screen in screens if screen.name() == chosen), None)
    return named or next((screen for screen in screens if screen is not main), None)


class CleanOutput(QObject):
    """Opens and closes the second window, which shows the current frame."""

    changed = Signal()

    def __init__(self, workspace: Workspace, viewport: Viewport, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace, self._viewport, self._parent = workspace, viewport, parent
        self.window: CleanWindow | None = None
        # Rendering continues for it while the main window is not visible.
        viewport.needed_by.append(lambda: self.is_open)
        viewport.drawn.connect(self._redraw)
        viewport.redrawn.connect(self._redraw)
        workspace.playback.changed.connect(self._redraw)
        workspace.engine_rebuilt.connect(self._follow_device)
        follow, settings = workspace.settings.follow, Settings
        self._ends = (
            follow(self._redraw, settings.output_mirrored, settings.output_seen),
            follow(self._put, settings.output_screen),
            follow(self._reset_geometry, settings.output_geometry),
        )
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(lambda _: QTimer.singleShot(0, self, self._put))

    @property
    def is_open(self) -> bool:
        """True while it is shown."""
        return self.window is not None

    def toggle(self) -> None:
        """Open it, or close it."""
        if self.window is not None:
            self.window.close()
            return
        self.window = CleanWindow(self._workspace)
        self.window.ended.connect(self._ended)
        self.window.canvas.failed.connect(self._failed)
        self.window.put(self._parent.screen())
        self.changed.emit()

    def _ended(self) -> None:
        window, self.window = self.window, None
        if window is not None:
            window.deleteLater()
        self.changed.emit()

    def _failed(self, text: object) -> None:
        self._workspace.messages.post("error", str(text), about="output")
        if self.window is not None:
            QTimer.singleShot(0, self.window, self.window.close)

    def _redraw(self) -> None:
        if self.window is not None:
            self.window.canvas.redraw()

    def _follow_device(self) -> None:
        if self.window is not None and self._workspace.engine.rebuilds:
            self.window.canvas.reconfigure()

    def _put(self) -> None:
        if self.window is not None:
            self.window.put(self._parent.screen())

    def _reset_geometry(self) -> None:
        if self.window is not None and self._workspace.settings.output_geometry.isEmpty():
            self.window.resize(*_FIRST_SIZE)

    def shutdown(self) -> None:
        """Close it; the main window goes."""
        for end in self._ends:
            end()
        if self.window is not None:
            self.window.close()
