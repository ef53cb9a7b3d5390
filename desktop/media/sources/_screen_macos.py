"""Screens of macOS: displays by Core Graphics (CGDirectDisplay.h, CGWindow.h), frames by libavdevice's
avfoundation. Single windows would need ScreenCaptureKit, which delivers frames to Objective-C alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Final

import av.device

from desktop.base.errors import ScreenError
from desktop.base.wording import sentence
from desktop.media.containers import open_container
from desktop.media.sources._screen_values import Box, Monitor, ScreenWindow, Shot

_LIBRARY: Final = "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics"
_MOST: Final = 16


class Rect(ctypes.Structure):
    """CGRect."""

    _fields_ = (
        ("x", ctypes.c_double),
        ("y", ctypes.c_double),
        ("width", ctypes.c_double),
        ("height", ctypes.c_double),
    )


class MacScreens:
    """macOS 11 and later."""

    has_windows = False
    crops = False

    def __init__(
        self,
        graphics: Any = None,
        devices: Callable[[str], Sequence[Any]] | None = None,
        opener: Callable[..., Any] = open_container,
    ) -> None:
        """Declare the functions of Core Graphics; `devices` lists libavdevice's devices of a format."""
        graphics = graphics or ctypes.CDLL(_LIBRARY)
        self._graphics, self._open = graphics, opener
        self._devices = devices or av.device.enumerate_input_devices
        graphics.CGDisplayBounds.restype = Rect
        graphics.CGDisplayBounds.argtypes = (ctypes.c_uint32,)
        graphics.CGDisplayCopyDisplayMode.restype = ctypes.c_void_p
        graphics.CGDisplayCopyDisplayMode.argtypes = (ctypes.c_uint32,)
        for name in ("CGDisplayModeGetPixelWidth", "CGDisplayModeGetPixelHeight"):
            getattr(graphics, name).restype = ctypes.c_size_t
            getattr(graphics, name).argtypes = (ctypes.c_void_p,)
        graphics.CGDisplayModeRelease.argtypes = (ctypes.c_void_p,)
        graphics.CGDisplayModeRelease.restype = None
        for name in ("CGPreflightScreenCaptureAccess", "CGRequestScreenCaptureAccess"):
            getattr(graphics, name).restype = ctypes.c_bool

    def monitors(self) -> list[Monitor]:
        """In the system's order, the main one first; the places are in points, the sizes in pixels."""
        displays, count = (ctypes.c_uint32 * _MOST)(), ctypes.c_uint32()
        self._graphics.CGGetActiveDisplayList(_MOST, displays, ctypes.pointer(count))
        return [
            Monitor(number, "", self._box(display))
            for number, display in enumerate(displays[: count.value], 1)
        ]

    def windows(self) -> list[ScreenWindow]:
        """None: libavdevice has no way to them."""
        return []

    def place(self, window: str) -> Box | None:
        """None, as there are no windows."""
        return None

    def open(self, shot: Shot, rate: int, cursor: bool) -> Any:
        """Open the complete display, by its number among libavdevice's devices. Permission is requested
        first: without it macOS delivers only the desktop's background.
        """
        if not self._graphics.CGPreflightScreenCaptureAccess():
            self._graphics.CGRequestScreenCaptureAccess()
            raise ScreenError(
                "denied",
                sentence(
                    "macOS does not let Lightloom see the screen: open System Settings > Privacy & "
                    "Security > "
                    "Screen & System Audio Recording, allow it there, and start Lightloom again."
                ),
            )
        title = f"Capture screen {int(shot.id) - 1}"
        devices = self._devices("avfoundation")
        device = next((one.name for one in devices if one.description == title), None)
        if device is None:
            raise OSError(title)
        options = {"framerate": str(rate), "capture_cursor": str(int(cursor)), "pixel_format": "bgr0"}
        return self._open(f"{device}:none", format="avfoundation", options=options)

    def _box(self, display: int) -> Box:
        place: Rect = self._graphics.CGDisplayBounds(display)
        mode = self._graphics.CGDisplayCopyDisplayMode(display)
        if not mode:
            return Box(int(place.x), int(place.y), int(place.width), int(place.height))
        try:
            width = self._graphics.CGDisplayModeGetPixelWidth(mode)
            height = self._graphics.CGDisplayModeGetPixelHeight(mode)
        finally:
            self._graphics.CGDisplayModeRelease(mode)
        return Box(int(place.x), int(place.y), width, height)
