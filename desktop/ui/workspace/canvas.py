"""A widget that wgpu draws into, on whichever device the engine has: to the screen where its adapter can, else as a bitmap."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING, Any, Final, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from rendercanvas.pyside6 import QRenderWidget

from desktop.compute.gpu.webgpu import can_present

if TYPE_CHECKING:
    import wgpu

log = logging.getLogger(__name__)

PresentMethod = Literal["screen", "bitmap"]
# To the screen we ask Qt for a paint ourselves, and rendercanvas's scheduler, which ticks even while nothing happens, is only there for
# its housekeeping.
_MOST_FPS: Final = {"screen": 10, "bitmap": 60}


def present_method_for(platform: str, system: str = sys.platform) -> PresentMethod:
    """Return how to present on Qt's platform plugin `platform` ('xcb', 'wayland', 'windows', 'cocoa', 'offscreen').

    'screen' hands the texture to the window system, 'bitmap' reads it back and lets Qt paint it. Qt on Wayland gives no surface that
    wgpu could draw to beside Qt's own, and the offscreen plugin has no windows at all. LIGHTLOOM_PRESENT=screen|bitmap overrides.
    """
    forced = os.environ.get("LIGHTLOOM_PRESENT", "")
    if forced in ("screen", "bitmap"):
        return "screen" if forced == "screen" else "bitmap"
    return "screen" if platform in ("xcb", "windows", "cocoa") else "bitmap"


class Canvas(QRenderWidget):
    """What both windows draw the frame into.

    An adapter that cannot draw to this window (OpenGL's, a GPU whose driver does not know this X server) is
    presented as a bitmap: configuring a surface for it would abort the process. Once that was so it stays so,
    whatever adapter follows.

    Attributes:
        present_method: how it presents; see `present_method_for`.
    """

    def __init__(self, device: wgpu.GPUDevice, parent: QWidget | None) -> None:
        self.present_method: PresentMethod = present_method_for(QGuiApplication.platformName())
        # vsync is off: with 'fifo' the window's thread waits in get_current_texture, up to a display period a frame, while the
        # pictures come at the source's own pace anyway.
        super().__init__(
            parent=parent,
            size=None,
            title=None,
            update_mode="ondemand",
            max_fps=_MOST_FPS[self.present_method],
            vsync=False,
            present_method=self.present_method,
        )
        # The canvas closes with its window; Qt must not delete it before.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self._context: Any = self._first_context()
        self.configure(device)

    @property
    def is_native(self) -> bool:
        """Whether it is a native window, which only other native windows can cover."""
        return self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow)

    def _first_context(self) -> Any:
        try:
            return self.get_wgpu_context()
        except RuntimeError as error:
            if self.present_method == "bitmap":
                raise
            log.warning("no surface for this window: %s", error)
            return self._bitmap_context()

    def _bitmap_context(self) -> Any:
        # rendercanvas gives one context to each canvas; it has no public way to another.
        self.present_method = self._present_method = "bitmap"
        self._canvas_context = None
        self.setAttribute(Qt.WidgetAttribute.WA_PaintOnScreen, False)
        self.set_update_mode("ondemand", max_fps=_MOST_FPS["bitmap"])
        return self.get_wgpu_context()

    def configure(self, device: wgpu.GPUDevice) -> None:
        """Make textures on a device, which may be another one than before."""
        if self.present_method == "screen" and not can_present(self._context, device.adapter):
            log.warning("this adapter cannot draw to the window: its frames are read back and painted")
            self._context = self._bitmap_context()
        preferred = self._context.get_preferred_format(device.adapter)
        # The frames are gamma-coded already: an -srgb target would code them twice.
        self._context.configure(device=device, format=preferred.removesuffix("-srgb"))

    def schedule_draw(self) -> None:
        """Have it drawn soon."""
        if self.present_method == "screen":
            QWidget.update(self)
        else:
            self.request_draw()
