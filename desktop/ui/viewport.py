"""The canvas: a plain child of the window's center that the pipeline draws into, with zoom, pan and the split line.

How pictures get to the screen is rendercanvas's `present_method`; the choice is made in `present_method_for` and explained there.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal, Protocol

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget
from rendercanvas.pyside6 import QRenderWidget

from desktop.compute.engine import Engine
from desktop.compute.media.frame import Frame
from desktop.compute.present import View, place
from desktop.compute.tasks.shapes import Mask
from desktop.errors import GpuError

log = logging.getLogger(__name__)

PresentMethod = Literal["screen", "bitmap"]
_MAX_ZOOM: Final = 64.0
_MIN_ZOOM: Final = 0.02
_STEP: Final = 1.25
_GRAB: Final = 12.0


def present_method_for(platform: str, system: str = sys.platform) -> PresentMethod:
    """Return how to present on Qt's platform plugin `platform` ('xcb', 'wayland', 'windows', 'cocoa', 'offscreen').

    'screen' hands the texture to the window system, 'bitmap' reads it back and lets Qt paint it. Qt on Wayland gives no surface that
    wgpu could draw to beside Qt's own, and the offscreen plugin has no windows at all. LIGHTLOOM_PRESENT=screen|bitmap overrides.
    """
    forced = os.environ.get("LIGHTLOOM_PRESENT", "")
    if forced in ("screen", "bitmap"):
        return "screen" if forced == "screen" else "bitmap"
    return "screen" if platform in ("xcb", "windows", "cocoa") else "bitmap"


class PointerTool(Protocol):
    """Takes some of what is done on the picture; each method tells whether it did."""

    def mouse_press(self, event: QMouseEvent) -> bool:
        """A button was pressed."""

    def mouse_move(self, event: QMouseEvent) -> bool:
        """The pointer was moved, with or without a button."""

    def mouse_release(self, event: QMouseEvent) -> bool:
        """A button was let go."""

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """The second press of a double click."""

    def wants_key(self, event: QKeyEvent) -> bool:
        """Whether it would take a key, which then is no key of the window."""

    def key_press(self, event: QKeyEvent) -> bool:
        """A key was pressed."""


class Viewport(QRenderWidget):
    """Shows an engine's pictures.

    Attributes:
        tool: is asked first about what is done on the picture; None for nobody.

    Signals:
        view_changed: zoom, pan, split or mirror.
        presented: a picture was drawn for the first time.
        drawing: a picture is about to be drawn; an overlay that is set now is drawn with it.
        drawn: a new picture was drawn.
        failed: no device can be made any more; a sentence.
    """

    accessible_role = QAccessible.Role.Canvas
    view_changed = Signal()
    presented = Signal()
    drawing = Signal()
    drawn = Signal()
    failed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of
    context_menu = Signal(object)

    def __init__(
        self, engine: Engine, take: Callable[[], Frame | None], parent: QWidget | None = None
    ) -> None:
        self.present_method: PresentMethod = present_method_for(QGuiApplication.platformName())
        # vsync is off: with 'fifo' the window's thread waits in get_current_texture, up to a display period a frame, while the
        # pictures come at the source's own pace anyway.
        super().__init__(
            parent=parent,
            size=None,
            title=None,
            update_mode="ondemand",
            # To the screen we ask Qt for a paint ourselves, and rendercanvas's scheduler, which ticks even while nothing
            # happens, is only there for its housekeeping.
            max_fps=10 if self.present_method == "screen" else 60,
            vsync=False,
            present_method=self.present_method,
        )
        self._engine = engine
        self._take = take
        self._frame: Frame | None = None
        self._repaint = True
        self._presented = False
        self._drag: QPointF | None = None
        self._drag_split = False
        self._overlay: np.ndarray | None = None
        self._stopped = False
        self._closing = False
        self.tool: PointerTool | None = None
        # The canvas closes with its window; Qt must not delete it before.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self._context: Any = self.get_wgpu_context()
        self.configure()
        self.setAcceptDrops(False)
        self.setMinimumSize(240, 160)
        self.setAccessibleName(self.tr("Picture"))
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.setInterval(4)
        self._retry.timeout.connect(self.wake)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.wake)
        self._idle = QTimer(self)
        self._idle.setInterval(15)
        self._idle.timeout.connect(self._tick_idle)
        self.request_draw(self._draw)

    # -- the device --------------------------------------------------------------------------------------------------

    def configure(self) -> None:
        """Let the canvas make textures on the engine's present device; after a device loss too."""
        device = self._engine.gpu.device
        preferred = self._context.get_preferred_format(device.adapter)
        # The pictures are gamma-coded already: an -srgb target would code them twice.
        self._context.configure(device=device, format=preferred.removesuffix("-srgb"))

    def reconfigure(self) -> None:
        """Follow the engine to a new device."""
        self._context.unconfigure()
        self.configure()
        if self._overlay is not None:
            self._engine.set_overlay(self._overlay)
        self.redraw()

    # -- drawing -----------------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Look for a picture that is due, and draw if there is one or something else has changed."""
        if self._stopped or not self._recover():
            return
        if self._engine.is_busy():
            # The GPU's own callback wakes us as well; this is for adapters that are late in telling.
            if not self._retry.isActive():
                self._retry.start()
            return
        if self._frame is None:
            self._frame = self._take()
        # What nobody sees is not drawn: no surface is asked for a texture behind the start page or at no size.
        if not self.isVisible() or self.size().isEmpty():
            return
        wants = self._engine.wants_frames
        if self._frame is not None or self._repaint or wants:
            self._request()
        if wants and not self._idle.isActive():
            self._idle.start()

    def _request(self) -> None:
        if self.present_method == "screen":
            QWidget.update(self)
        else:
            self.request_draw()

    def _tick_idle(self) -> None:
        if not self._engine.wants_frames or not self.isVisible():
            self._idle.stop()
        self.wake()

    def redraw(self) -> None:
        """Draw again soon, with or without a new picture.

        Not at once: a source that is asked for a picture may tell that it is lost, which changes the page; in the middle of being shown or
        resized by the pages that left the canvas above the start page.
        """
        self._repaint = True
        self._soon.start()

    def _draw(self) -> None:
        engine = self._engine
        if self._stopped or not self._recover():
            return
        if engine.is_busy():
            self._retry.start()
            return
        self.drawing.emit()
        frame, self._frame = self._frame, None
        rebuilds = engine.rebuilds
        try:
            target = self._context.get_current_texture()
            if not engine.render(frame, target):
                self._frame = frame
                self._retry.start()
                return
        except GpuError as error:
            self._give_up(error)
            return
        self._repaint = engine.rebuilds != rebuilds
        if frame is not None:
            self.drawn.emit()
        if not self._presented and engine.picture_size[0]:
            self._presented = True
            self.presented.emit()

    def _recover(self) -> bool:
        try:
            self._engine.recover()
        except GpuError as error:
            self._give_up(error)
        return not self._stopped

    def _give_up(self, error: GpuError) -> None:
        self._stopped = True
        self.failed.emit(str(error))

    def set_overlay(self, image: np.ndarray | None, *, redraw: bool = True) -> None:
        """Show an image above the picture; see `Pipeline.set_overlay`. Without `redraw` it comes with the next picture."""
        if image is None and self._overlay is None:
            return
        self._overlay = image
        self._engine.set_overlay(image)
        if redraw:
            self.redraw()

    def set_masks(self, masks: tuple[Mask, ...], *, redraw: bool = True) -> None:
        """Show masks over the picture; see `Pipeline.set_masks`. Without `redraw` they come with the next picture."""
        self._engine.set_masks(masks)
        if redraw:
            self.redraw()

    @property
    def device_size(self) -> tuple[int, int]:
        """(width, height) of the canvas in device pixels."""
        width, height = self.get_physical_size()
        return int(width), int(height)

    # -- the view ----------------------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """How the picture lies on the canvas."""
        return self._engine.view

    @view.setter
    def view(self, view: View) -> None:
        if view != self._engine.view:
            self._engine.view = view
            self.view_changed.emit()
            self.redraw()

    @property
    def zoom(self) -> float:
        """Device pixels for one pixel of the picture."""
        return place(self.view, self._engine.picture_size, self.device_size).zoom

    def fit(self) -> None:
        """Show the whole picture."""
        self.view = replace(self.view, mode="fit")

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom, keeping the point of the picture under `at` (device pixels; the middle by default) where it is."""
        picture, target = self._engine.picture_size, self.device_size
        if not picture[0]:
            return
        zoom = max(_MIN_ZOOM, min(_MAX_ZOOM, zoom))
        # A step of the wheel may land beside 1:1 by rounding; there the picture is sharp.
        zoom = 1.0 if abs(zoom - 1.0) < 0.04 else zoom
        x, y = (target[0] / 2, target[1] / 2) if at is None else (at.x(), at.y())
        px, py = place(self.view, picture, target).to_picture(x, y)
        center = (
            (px + (target[0] / 2 - x) / zoom) / picture[0],
            (py + (target[1] / 2 - y) / zoom) / picture[1],
        )
        self._look_at(center, zoom)

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zoom in (or out, if negative) by steps of a quarter."""
        self.zoom_to(self.zoom * _STEP**steps, at)

    def _look_at(self, center: tuple[float, float], zoom: float) -> None:
        x, y = (max(0.0, min(1.0, c)) for c in center)
        self.view = replace(self.view, mode="free", zoom=zoom, center=(x, y))

    def _pan(self, by: QPointF) -> None:
        picture, target = self._engine.picture_size, self.device_size
        if not picture[0]:
            return
        at = place(self.view, picture, target)
        cx, cy = at.to_picture(target[0] / 2, target[1] / 2)
        self._look_at(((cx - by.x() / at.zoom) / picture[0], (cy - by.y() / at.zoom) / picture[1]), at.zoom)

    def set_split(self, share: float | None) -> None:
        """Put the before/after line at a share of the width, or take it away."""
        self.view = replace(self.view, split=None if share is None else max(0.02, min(0.98, share)))

    def set_mirrored(self, mirrored: bool) -> None:
        """Flip what is shown (not what is saved) left to right."""
        self.view = replace(self.view, mirrored=mirrored)

    # -- events ------------------------------------------------------------------------------------------------------

    def _device_point(self, point: QPointF) -> QPointF:
        return point * self.devicePixelRatioF()

    def _on_split(self, point: QPointF) -> bool:
        split = self.view.split
        return split is not None and abs(point.x() - split * self.width()) <= _GRAB

    def share_at(self, point: QPointF) -> tuple[float, float] | None:
        """Return what lies at a point of the widget (logical pixels), in shares of the picture, held to it; None without a picture."""
        picture = self._engine.picture_size
        if not picture[0]:
            return None
        device = self._device_point(point)
        x, y = place(self.view, picture, self.device_size).to_picture(device.x(), device.y())
        across, down = (min(1.0, max(0.0, share)) for share in (x / picture[0], y / picture[1]))
        return (1.0 - across if self.view.mirrored else across, down)

    def point_of(self, share: tuple[float, float]) -> QPointF:
        """Return where a share of the picture lies on the widget, in logical pixels."""
        picture = self._engine.picture_size
        at = place(self.view, picture, self.device_size)
        across = 1.0 - share[0] if self.view.mirrored else share[0]
        x, y = at.x + at.zoom * across * picture[0], at.y + at.zoom * share[1] * picture[1]
        return QPointF(x, y) / self.devicePixelRatioF()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        self.zoom_by(event.angleDelta().y() / 120, self._device_point(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the split line or of the picture."""
        if self.tool is not None and self.tool.mouse_press(event):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            return
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag = event.position()
            self._drag_split = event.button() == Qt.MouseButton.LeftButton and self._on_split(
                event.position()
            )
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what was taken hold of."""
        if self._drag is None and self.tool is not None and self.tool.mouse_move(event):
            return
        if self._drag is None:
            shape = (
                Qt.CursorShape.SplitHCursor
                if self._on_split(event.position())
                else Qt.CursorShape.ArrowCursor
            )
            self.setCursor(shape)
            return
        if self._drag_split:
            self.set_split(event.position().x() / max(1, self.width()))
            return
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._pan(self._device_point(event.position() - self._drag))
        self._drag = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if self._drag is None and self.tool is not None and self.tool.mouse_release(event):
            return
        self._drag = None
        self._drag_split = False
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Between the whole picture and 1:1."""
        if self.tool is not None and self.tool.mouse_double_click(event):
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self.view.mode == "fit":
            self.zoom_to(1.0, self._device_point(event.position()))
        else:
            self.fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask the window for its menu."""
        self.context_menu.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave keys to the window, but those of the tool."""
        if self.tool is None or not self.tool.key_press(event):
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Leave keys to the window."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """See QWidget; a change of the screen's scale needs a new drawing."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self.tool is not None
            and self.tool.wants_key(event)
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw at the new size."""
        super().resizeEvent(event)
        self.view_changed.emit()
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        """Get on with what was left while nobody saw the picture."""
        super().showEvent(event)
        self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw; after an expose there may be nothing new, but what was there is gone."""
        self._repaint = True
        super().paintEvent(event)

    def shutdown(self) -> None:
        """Draw no more."""
        if self._stopped and self._closing:
            return
        self._stopped = self._closing = True
        for timer in (self._retry, self._soon, self._idle):
            timer.stop()
        self._context.unconfigure()
