"""A widget that wgpu draws into on the engine's device: directly on the screen, else as a bitmap."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from rendercanvas.pyside6 import QRenderWidget

from desktop.compute.gpu.webgpu import can_present
from desktop.ui.workspace.bitmap_context import BitmapContext, image_of

if TYPE_CHECKING:
    import numpy as np
    import wgpu

log = logging.getLogger(__name__)

PresentMethod = Literal["screen", "bitmap"]
# rendercanvas's scheduler, which ticks when idle too, only tidies up.
_TICKS: Final = 10


def present_method_for(adapter: wgpu.GPUAdapter, platform: str, system: str = sys.platform) -> PresentMethod:
    """Return how to present on a Qt platform plugin; LIGHTLOOM_PRESENT=screen|bitmap overrides.

    'screen' passes the texture to the window system, 'bitmap' reads it back for Qt to paint: on Wayland Qt
    has no separate surface for wgpu, and the offscreen plugin has no windows. A software adapter that
    presents waits for everything submitted before, a network too (docs/facts.md).
    """
    forced = os.environ.get("LIGHTLOOM_PRESENT", "")
    if forced in ("screen", "bitmap"):
        return "screen" if forced == "screen" else "bitmap"
    if str(adapter.info["adapter_type"]) == "CPU":
        return "bitmap"
    return "screen" if platform in ("xcb", "windows", "cocoa") else "bitmap"


class Canvas(QRenderWidget):
    """The surface into which both windows draw the frame; see `present_method_for`.

    An adapter that cannot draw to this window uses a bitmap: configuring a surface would abort the process.
    """

    def __init__(self, device: wgpu.GPUDevice, parent: QWidget | None) -> None:
        platform = QGuiApplication.platformName()
        self.present_method: PresentMethod = present_method_for(device.adapter, platform)
        # vsync is off: 'fifo' blocks the window's thread by up to a display period per frame.
        super().__init__(
            parent=parent,
            size=None,
            title=None,
            update_mode="ondemand",
            max_fps=_TICKS,
            vsync=False,
            present_method=self.present_method,
        )
        self._soon_drawn = QTimer(self)
        self._soon_drawn.setSingleShot(True)
        self._soon_drawn.timeout.connect(self._draw_bitmap)
        self._is_wanted = False  # a bitmap, once the one before is read
        # The canvas closes with its window; Qt must not delete it before.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self._context: Any = self._first_context()
        self.configure(device)

    @property
    def is_native(self) -> bool:
        """Whether it is a native window, which only other native windows can cover."""
        return self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow)

    def _first_context(self) -> Any:
        if self.present_method == "bitmap":
            return self._new_bitmap_context()
        try:
            return self.get_wgpu_context()
        except RuntimeError as error:
            log.warning("no surface for this window: %s", error)
            return self._bitmap_context()

    def _bitmap_context(self) -> Any:
        # rendercanvas gives each canvas one context, with no public way to another.
        self.present_method = self._present_method = "bitmap"
        self._canvas_context = None
        self.setAttribute(Qt.WidgetAttribute.WA_PaintOnScreen, False)
        return self._new_bitmap_context()

    def _new_bitmap_context(self) -> BitmapContext:
        context: BitmapContext = self.get_context(BitmapContext)
        context.on_idle = self._draw_again
        return context

    def configure(self, device: wgpu.GPUDevice) -> None:
        """Configure the textures for a device, which may have changed."""
        if self.present_method == "screen" and not self._presents(device.adapter):
            log.warning("this adapter does not draw to the window: its frames are read back and painted")
            self._context = self._bitmap_context()
        preferred = self._context.get_preferred_format(device.adapter)
        # The frames are gamma-coded already; an -srgb target would encode them twice.
        self._context.configure(device=device, format=preferred.removesuffix("-srgb"))

    def _presents(self, adapter: wgpu.GPUAdapter) -> bool:
        chosen = present_method_for(adapter, QGuiApplication.platformName())
        return chosen == "screen" and can_present(self._context, adapter)

    def _rc_present_bitmap(self, *, data: np.ndarray, format: str, **_: Any) -> None:
        # The array is kept with the image, which shares its memory.
        self._last_image = (image_of(data), data)

    def copying(self) -> Callable[[wgpu.GPUCommandEncoder], None] | None:
        """Return what records the copy of a bitmap behind the drawing, which saves a submission of its own."""
        return self._context.encode_copy if isinstance(self._context, BitmapContext) else None

    def not_drawn(self) -> None:
        """Note that nothing was drawn into the texture that was taken, so that it is not presented."""
        if isinstance(self._context, BitmapContext):
            self._context.discard()

    def draw_by(self, draw: Callable[[], None]) -> None:
        """Have `draw` called for each frame, but not before the last one is read back: a frame drawn
        meanwhile would need a submission for its copy, behind whatever the GPU computes by then.
        """

        def draw_if_idle() -> None:
            if isinstance(self._context, BitmapContext) and self._context.is_reading:
                self._is_wanted = True
            else:
                draw()

        self.request_draw(draw_if_idle)

    def schedule_draw(self) -> None:
        """Have it drawn soon."""
        if self.present_method == "screen":
            QWidget.update(self)
        elif self._context.is_reading:
            self._is_wanted = True
        else:
            self._soon_drawn.start(0)

    def _draw_bitmap(self) -> None:
        self._is_wanted = False
        if not self.get_closed():
            self._rc_request_draw()

    def _draw_again(self) -> None:
        if self._is_wanted:
            self._soon_drawn.start(0)
