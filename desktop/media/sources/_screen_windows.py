"""Screens of Windows: monitors and windows by user32 (winuser.h), frames by libavdevice's gdigrab. Calls run
on a thread set to physical pixels: python.exe gets sizes divided by the monitor's scale.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from desktop.media.containers import open_container
from desktop.media.sources._screen_values import Box, Monitor, ScreenWindow, Shot, grabbed

_PER_MONITOR_V2: Final = -4  # DPI_AWARENESS_CONTEXT
_MAIN: Final = 1  # MONITORINFOF_PRIMARY
_CLOAKED: Final = 14  # DWMWA_CLOAKED: on another desktop, or a sleeping app's


class _Rect(ctypes.Structure):
    _fields_ = (
        ("left", ctypes.c_int32),
        ("top", ctypes.c_int32),
        ("right", ctypes.c_int32),
        ("bottom", ctypes.c_int32),
    )


class _Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_int32), ("y", ctypes.c_int32))


class _MonitorInfo(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint32),
        ("monitor", _Rect),
        ("work", _Rect),
        ("flags", ctypes.c_uint32),
        ("device", ctypes.c_uint16 * 32),
    )


@dataclass(frozen=True)
class WindowsLibraries:
    """Windows functions; `callback` makes a callback's type from those of its result and arguments."""

    user32: Any
    dwmapi: Any
    callback: Callable[..., Any]

    @classmethod
    def load(cls) -> WindowsLibraries:
        """Load those of this process."""
        # As attributes of `ctypes`, which other systems lack.
        load: Any = getattr(ctypes, "WinDLL")  # noqa: B009
        return cls(load("user32"), load("dwmapi"), getattr(ctypes, "WINFUNCTYPE"))  # noqa: B009


class WindowsScreens:
    """Windows 10 and later."""

    has_windows = True
    crops = True

    def __init__(
        self, system: WindowsLibraries | None = None, opener: Callable[..., Any] = open_container
    ) -> None:
        """Declare the functions of `system`; `opener` opens a device of libavdevice."""
        system = system or WindowsLibraries.load()
        self._callback, self._user, self._dwm = system.callback, system.user32, system.dwmapi
        self._open = opener
        handle = ctypes.c_void_p
        for name, arguments in (
            ("SetThreadDpiAwarenessContext", (handle,)),
            ("EnumDisplayMonitors", (handle, handle, handle, handle)),
            ("GetMonitorInfoW", (handle, handle)),
            ("EnumWindows", (handle, handle)),
            ("IsWindow", (handle,)),
            ("IsWindowVisible", (handle,)),
            ("IsIconic", (handle,)),
            ("GetClientRect", (handle, handle)),
            ("ClientToScreen", (handle, handle)),
            ("GetWindowTextW", (handle, handle, ctypes.c_int)),
            ("GetWindowThreadProcessId", (handle, handle)),
        ):
            getattr(self._user, name).argtypes = arguments
        self._user.SetThreadDpiAwarenessContext.restype = handle
        self._dwm.DwmGetWindowAttribute.argtypes = (handle, ctypes.c_uint32, handle, ctypes.c_uint32)

    def monitors(self) -> list[Monitor]:
        """The main one first, then from left to right."""
        self._count_physically()
        found: list[_MonitorInfo] = []

        def add(monitor: int, _context: int, _rect: int, _data: int) -> int:
            info = _MonitorInfo(size=ctypes.sizeof(_MonitorInfo))
            if self._user.GetMonitorInfoW(monitor, ctypes.pointer(info)):
                found.append(info)
            return 1

        kind = self._callback(ctypes.c_int, *[ctypes.c_void_p] * 4)
        self._user.EnumDisplayMonitors(None, None, kind(add), None)
        found.sort(key=lambda info: (not info.flags & _MAIN, info.monitor.left, info.monitor.top))
        return [
            Monitor(number, _text(info.device), _box(info.monitor)) for number, info in enumerate(found, 1)
        ]

    def windows(self) -> list[ScreenWindow]:
        """Return the visible windows with a title, except our own."""
        self._count_physically()
        handles: list[int] = []

        def add(window: int, _data: int) -> int:
            handles.append(window)
            return 1

        kind = self._callback(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self._user.EnumWindows(kind(add), None)
        found = []
        for window in handles:
            title = ctypes.create_unicode_buffer(512)
            self._user.GetWindowTextW(window, title, 512)
            if title.value and self._is_offered(window):
                box = self.place(f"{window:#x}")
                if box is not None:
                    found.append(ScreenWindow(f"{window:#x}", title.value, box))
        return found

    def _is_offered(self, window: int) -> bool:
        owner, cloaked = ctypes.c_uint32(), ctypes.c_uint32()
        self._user.GetWindowThreadProcessId(window, ctypes.pointer(owner))
        self._dwm.DwmGetWindowAttribute(window, _CLOAKED, ctypes.pointer(cloaked), 4)
        return bool(self._user.IsWindowVisible(window)) and not cloaked.value and owner.value != os.getpid()

    def place(self, window: str) -> Box | None:
        """Return the client area of a window, which gdigrab delivers, without its frame."""
        self._count_physically()
        handle, rect, corner = int(window, 16), _Rect(), _Point()
        if not self._user.IsWindow(handle):
            return None
        self._user.GetClientRect(handle, ctypes.pointer(rect))
        self._user.ClientToScreen(handle, ctypes.pointer(corner))
        if self._user.IsIconic(handle):
            return Box(corner.x, corner.y, 0, 0)
        return Box(corner.x, corner.y, rect.right, rect.bottom)

    def open(self, shot: Shot, rate: int, cursor: bool) -> Any:
        """Open gdigrab. A window drawn by the GPU may be black in GDI; its monitor's region is not."""
        self._count_physically()
        options = {"framerate": str(rate), "draw_mouse": str(int(cursor)), "fpsprobesize": "0"}
        if shot.kind == "window":
            return self._open(f"hwnd={shot.id}", format="gdigrab", options=options)
        box = grabbed(shot)
        place = {"offset_x": str(box.x), "offset_y": str(box.y), "video_size": f"{box.width}x{box.height}"}
        return self._open("desktop", format="gdigrab", options={**options, **place})

    def _count_physically(self) -> None:
        self._user.SetThreadDpiAwarenessContext(_PER_MONITOR_V2)


def _box(rect: _Rect) -> Box:
    return Box(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)


def _text(device: Any) -> str:
    name = bytes(device).decode("utf-16-le", "replace").split("\0", 1)[0]
    return name.removeprefix("\\\\.\\")
