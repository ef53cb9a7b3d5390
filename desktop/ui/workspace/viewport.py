"""The canvas that the pipeline draws into, with zoom, pan and split line; see also `canvas.py`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from desktop.base.errors import GpuError
from desktop.media.frame import Frame
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.mosaic import Area
from desktop.pipeline.picture.present import View, place
from desktop.ui.kit.view_moves import STEP, panned, point_of, share_under, zoomed
from desktop.ui.workspace.canvas import Canvas
from desktop.vision.tasks.shapes import Mask

if TYPE_CHECKING:
    import wgpu

log = logging.getLogger(__name__)

_GRAB: Final = 12.0


class PointerTool(Protocol):
    """Handles pointer and key events on the frame; each method returns whether it handled the event."""

    def mouse_press(self, event: QMouseEvent) -> bool:
        """A button was pressed."""

    def mouse_move(self, event: QMouseEvent) -> bool:
        """The pointer was moved, with or without a button."""

    def mouse_release(self, event: QMouseEvent) -> bool:
        """Handle the release of a button."""

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """The second press of a double click."""

    def wants_menu(self) -> bool:
        """Whether the right button is its own."""

    def wants_key(self, event: QKeyEvent) -> bool:
        """Return whether the tool handles a key, which the window then ignores."""

    def key_press(self, event: QKeyEvent) -> bool:
        """A key was pressed."""


class Tiling(Protocol):
    """Places the engine's frame on a part of the canvas, beside others."""

    def area(self, size: tuple[int, int]) -> Area:
        """Return the part of a canvas of a size that the engine's frame has."""

    def advance(self) -> bool:
        """Advance the other frames; return True if the canvas must be drawn."""

    def draw(self, frame: Frame | None, canvas: wgpu.GPUTexture, *, anew: bool) -> bool:
        """Draw a new frame, or all `anew`; False if the GPU was busy. Raises GpuError without a device."""


class Viewport(Canvas):
    """Shows an engine's frames.

    Attributes:
        tools: receive pointer events first, in order.
        needed_by: each returns whether it needs frames, which are then rendered even if not shown.

    Signals:
        view_changed: zoom, pan, split or mirror.
        presented: a frame was on the screen for the first time.
        drawing: a frame is about to be drawn, with an overlay that is set now.
        redrawn: the same frame was drawn with another view, chain or overlay.
        failed: no device can be opened; an error message.
    """

    accessible_role = QAccessible.Role.Canvas
    view_changed = Signal()
    presented = Signal()
    drawing = Signal()
    drawn = Signal()
    redrawn = Signal()
    failed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of
    context_menu = Signal(object)

    def __init__(
        self, engine: Engine, take: Callable[[], Frame | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(engine.gpu.device, parent)
        self._engine = engine
        self._take = take
        self._frame: Frame | None = None
        self._repaint = self._anew = True
        self._is_painted_next = self._is_presented = False
        self._drag: QPointF | None = None
        self._drag_split = False
        self._overlay: np.ndarray | None = None
        self._answered_result: object = None
        self._stopped = False
        self._closing = False
        self.tools: list[PointerTool] = []
        self.needed_by: list[Callable[[], bool]] = []
        self.tiling: Tiling | None = None
        self.setAcceptDrops(False)
        self.setMinimumSize(240, 160)
        self.setAccessibleName(self.tr("Video"))
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
        self.draw_by(self._draw)

    # -- the device ------------------------------------------------------------------------------------------

    def reconfigure(self) -> None:
        """Follow the engine to a new device."""
        self._context.unconfigure()
        self.configure(self._engine.gpu.device)
        if self._overlay is not None:
            self._engine.current.set_overlay(self._overlay)
        self.redraw()

    # -- drawing ---------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Draw if a frame is due or something else has changed."""
        if self._stopped or not self._recover():
            return
        if self.tiling is not None:
            self._advance(self.tiling)
        if self._engine.current.is_busy():
            # The GPU's own callback wakes us as well; this is for adapters that are late in telling.
            if not self._retry.isActive():
                self._retry.start()
            return
        if not self.has_waiting:
            self._frame = self._take()
        # Nothing is drawn while invisible: no texture is requested behind the start page or at size zero.
        is_on_screen = self.is_on_screen
        if not is_on_screen and not any(needs() for needs in self.needed_by):
            return
        wants = self._engine.current.wants_frames
        # A thread's result comes without a frame; drawing while waiting would use the cores that compute it.
        answered = (
            self._engine.current.takes_prompts and self._engine.current.result is not self._answered_result
        )
        if self.has_waiting or self._repaint or answered or (wants and not self._engine.current.only_waits):
            self._anew = self._anew or answered or wants
            if is_on_screen:
                self.schedule_draw()
            else:
                self._draw_to(lambda: None)
        if wants and not self._idle.isActive():
            self._idle.start()

    def _advance(self, tiling: Tiling) -> None:
        try:
            if tiling.advance():
                self.schedule_draw()
        except GpuError as error:
            self._give_up(error)

    def _tick_idle(self) -> None:
        if not self._engine.current.wants_frames or not (
            self.is_on_screen or any(n() for n in self.needed_by)
        ):
            self._idle.stop()
        self.wake()

    def redraw(self) -> None:
        """Draw again soon, with or without a new frame.

        Not at once: requesting a frame may switch the page, which must not happen in a show or resize event.
        """
        self._repaint = self._anew = True
        self._soon.start()

    @property
    def is_on_screen(self) -> bool:
        """False behind the start page, at size 0, and while minimized: Qt requests no paint then."""
        window = self.window()
        handle = window.windowHandle()
        is_exposed = handle is None or handle.isExposed()
        return self.isVisible() and not self.size().isEmpty() and not window.isMinimized() and is_exposed

    def _draw(self) -> None:
        self._draw_to(self._context.get_current_texture)

    def _draw_to(self, take_target: Callable[[], Any]) -> None:
        engine = self._engine
        if self._stopped or not self._recover():
            return
        if self.tiling is None and engine.current.is_busy():
            self._retry.start()
            return
        self._answered_result = engine.current.result
        self.drawing.emit()
        frame, self._frame = self._frame, None
        anew, self._anew = self._anew, False
        rebuilds = engine.rebuilds
        try:
            if not self._render(frame, take_target(), anew=anew):
                self._frame, self._anew = frame, anew
                self.not_drawn()
                self._retry.start()
                return
        except GpuError as error:
            self._give_up(error)
            return
        self._repaint = engine.rebuilds != rebuilds
        if frame is not None:
            self.drawn.emit()
        elif anew or self.tiling is None:
            self.redrawn.emit()
        if self.present_method == "screen" and engine.current.picture_size[0]:
            self._report_presented()

    def _rc_present_bitmap(self, *, data: np.ndarray, format: str, **_: Any) -> None:
        super()._rc_present_bitmap(data=data, format=format)
        self._is_painted_next = bool(self._engine.current.picture_size[0])

    def _report_presented(self) -> None:
        """Emit `presented` once, and later: widgets must not be made while this one is painted."""
        if not self._is_presented:
            self._is_presented = True
            QTimer.singleShot(0, self, self.presented.emit)

    def _render(self, frame: Frame | None, canvas: wgpu.GPUTexture | None, *, anew: bool) -> bool:
        if self.tiling is None or canvas is None:
            return self._engine.render(frame, canvas, after=self.copying() if canvas is not None else None)
        return self.tiling.draw(frame, canvas, anew=anew)

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
        """Show an image above the frame, or with the next one without `redraw`; see `Pipeline.set_overlay`."""
        if image is None and self._overlay is None:
            return
        self._overlay = image
        self._engine.current.set_overlay(image)
        self._anew = True
        if redraw:
            self.redraw()

    def set_masks(self, masks: tuple[Mask, ...], *, redraw: bool = True) -> None:
        """Show masks over the frame (`Pipeline.set_masks`), without `redraw` from the next one."""
        self._engine.current.set_masks(masks)
        self._anew = True
        if redraw:
            self.redraw()

    @property
    def canvas_size(self) -> tuple[int, int]:
        """(width, height) of the canvas in device pixels."""
        width, height = self.get_physical_size()
        return int(width), int(height)

    @property
    def area(self) -> Area:
        """The frame's part of the canvas in device pixels: all of it, unless there are others."""
        size = self.canvas_size
        return Area(0, 0, *size) if self.tiling is None else self.tiling.area(size)

    @property
    def device_size(self) -> tuple[int, int]:
        """(width, height) of that part in device pixels."""
        area = self.area
        return area.width, area.height

    # -- the view --------------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """Placement of the frame on the canvas."""
        return self._engine.current.view

    @view.setter
    def view(self, view: View) -> None:
        if view != self._engine.current.view:
            self._engine.current.view = view
            self.view_changed.emit()
            self.redraw()

    @property
    def zoom(self) -> float:
        """Device pixels for one pixel of the frame."""
        return place(self.view, self._engine.current.picture_size, self.device_size).zoom

    def fit(self) -> None:
        """Show the whole image."""
        self.view = replace(self.view, mode="fit")

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom around `at` (device pixels; the middle by default)."""
        picture, target = self._engine.current.picture_size, self.device_size
        if picture[0]:
            self.view = zoomed(self.view, picture, target, zoom, None if at is None else (at.x(), at.y()))

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zoom in (or out, if negative) by steps of a quarter."""
        self.zoom_to(self.zoom * STEP**steps, at)

    def _pan(self, by: QPointF) -> None:
        picture, target = self._engine.current.picture_size, self.device_size
        if picture[0]:
            self.view = panned(self.view, picture, target, (by.x(), by.y()))

    def set_split(self, share: float | None) -> None:
        """Set the before/after line to a fraction of the width, or remove it."""
        self.view = replace(self.view, split=None if share is None else max(0.02, min(0.98, share)))

    def set_mirrored(self, mirrored: bool) -> None:
        """Mirror the display, not saved files, left to right."""
        self.view = replace(self.view, mirrored=mirrored)

    def set_checkered(self, checkered: bool) -> None:
        """Show transparency over a checkerboard, or over black as in files without transparency."""
        self.view = replace(self.view, checkered=checkered)

    # -- events ----------------------------------------------------------------------------------------------

    def _device_point(self, point: QPointF) -> QPointF:
        area = self.area
        return point * self.devicePixelRatioF() - QPointF(area.x, area.y)

    def on_split(self, point: QPointF) -> bool:
        """Return whether the before/after line is under a point of the widget."""
        split = self.view.split
        if split is None:
            return False
        away = self._device_point(point).x() - split * self.device_size[0]
        return abs(away) <= _GRAB * self.devicePixelRatioF()

    def share_at(self, point: QPointF) -> tuple[float, float] | None:
        """Return the frame position at a widget point (logical pixels), clamped; None without a frame."""
        picture = self._engine.current.picture_size
        if not picture[0]:
            return None
        device = self._device_point(point)
        return share_under(self.view, picture, self.device_size, (device.x(), device.y()))

    def is_on_picture(self, point: QPointF) -> bool:
        """Return whether a widget point (logical pixels) is on the frame."""
        picture = self._engine.current.picture_size
        if not picture[0]:
            return False
        device = self._device_point(point)
        x, y = place(self.view, picture, self.device_size).to_picture(device.x(), device.y())
        return 0 <= x < picture[0] and 0 <= y < picture[1]

    @property
    def has_waiting(self) -> bool:
        """True while a frame was taken and is not drawn."""
        return self._frame is not None

    def drop_waiting(self) -> Frame | None:
        """Release a frame that was taken but not drawn, and return it: the visible one stays."""
        frame, self._frame = self._frame, None
        return frame

    def point_of(self, share: tuple[float, float]) -> QPointF:
        """Return the widget point (logical pixels) of a frame position."""
        area = self.area
        x, y = point_of(self.view, self._engine.current.picture_size, self.device_size, share)
        return QPointF(area.x + x, area.y + y) / self.devicePixelRatioF()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; horizontal scrolling, and the ends of a gesture, change nothing."""
        if event.angleDelta().y():
            self.zoom_by(event.angleDelta().y() / 120, self._device_point(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a drag of the split line or the frame."""
        if any(tool.mouse_press(event) for tool in self.tools):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            return
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag = event.position()
            self._drag_split = event.button() == Qt.MouseButton.LeftButton and self.on_split(event.position())
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue the drag."""
        if self._drag is None and any(tool.mouse_move(event) for tool in self.tools):
            return
        if self._drag is None:
            shape = (
                Qt.CursorShape.SplitHCursor if self.on_split(event.position()) else Qt.CursorShape.ArrowCursor
            )
            self.setCursor(shape)
            return
        if self._drag_split:
            self.set_split(self._device_point(event.position()).x() / max(1, self.device_size[0]))
            return
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._pan((event.position() - self._drag) * self.devicePixelRatioF())
        self._drag = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Handle the release of a button."""
        if self._drag is None and any(tool.mouse_release(event) for tool in self.tools):
            return
        self._drag = None
        self._drag_split = False
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Between the whole image and 1:1."""
        if any(tool.mouse_double_click(event) for tool in self.tools):
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self.view.mode == "fit":
            self.zoom_to(1.0, self._device_point(event.position()))
        else:
            self.fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the window's menu, unless a tool uses the right button."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        if by_mouse and any(tool.wants_menu() for tool in self.tools):
            return
        self.context_menu.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave keys to the window, but those of the tool."""
        if not any(tool.key_press(event) for tool in self.tools):
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
            and any(tool.wants_key(event) for tool in self.tools)
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
        """Resume what was deferred while the frame was not visible."""
        super().showEvent(event)
        self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw, even without a new frame: after an expose the old content is lost, but for a bitmap."""
        self._repaint |= self.present_method == "screen"
        super().paintEvent(event)
        if self._is_painted_next:
            self._report_presented()

    def shutdown(self) -> None:
        """Stop drawing."""
        if self._stopped and self._closing:
            return
        self._stopped = self._closing = True
        for timer in (self._retry, self._soon, self._idle):
            timer.stop()
        self._context.unconfigure()
