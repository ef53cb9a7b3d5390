"""Screen capture backends: monitors, windows, their positions, and libavdevice's grabber. One file for each
system.

Not mss: it copies each frame through Python, and has no windows. Not Qt Multimedia: it needs Qt and another
wheel (docs/sources.md). Wayland offers frames only by PipeWire, for which no maintained wheel exists.
"""

from __future__ import annotations

import re
import sys
from typing import Any, Protocol

from desktop.base.errors import ScreenError, SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.sources._screen_values import Box, Monitor, ScreenWindow, Shot

_ID = re.compile(r"0x[0-9a-fA-F]{1,16}")


class ScreenBackend(Protocol):
    """Interface for `ScreenSource`. Methods may block, and raise ScreenError where screens can't be read."""

    has_windows: bool
    crops: bool
    """True if `open` delivers the part of a monitor alone; else all of it."""

    def monitors(self) -> list[Monitor]:
        """Return the monitors, the main one first."""

    def windows(self) -> list[ScreenWindow]:
        """Return the windows of other programs, the uppermost first."""

    def place(self, window: str) -> Box | None:
        """Return where a window is now, None if it is closed; (0, 0) is the size of one that is minimized."""

    def open(self, shot: Shot, rate: int, cursor: bool) -> Any:
        """Return an open `av.container.InputContainer`; OSError or av.FFmpegError if it can't be read."""


def system_backend() -> ScreenBackend:
    """Return the backend of the system that the program runs on."""
    if sys.platform == "darwin":
        from desktop.media.sources._screen_macos import MacScreens

        return MacScreens()
    if sys.platform == "win32":
        from desktop.media.sources._screen_windows import WindowsScreens

        return WindowsScreens()
    from desktop.media.sources._screen_x11 import X11Screens

    return X11Screens()


def find_window(backend: ScreenBackend, wanted: str) -> ScreenWindow:
    """Return the uppermost window with an id or a title, a full match before a partial one. Raises
    ScreenError if there is none, or this system captures no windows.
    """
    if not backend.has_windows:
        raise ScreenError(
            "missing",
            sentence("Single windows can't be captured on this system: choose a monitor or a region."),
        )
    if _ID.fullmatch(wanted):
        number = f"{int(wanted, 16):#x}"
        box = backend.place(number)
        if box is not None:
            named = next((one.title for one in backend.windows() if one.id == number), number)
            return ScreenWindow(number, named, box)
    windows, text = backend.windows(), wanted.casefold()
    matches = [one for one in windows if one.title.casefold() == text]
    matches = matches or [one for one in windows if text in one.title.casefold()]
    if matches:
        return matches[0]
    raise ScreenError(
        "missing", sentence("There is no window called {wanted}: open it or choose another.", wanted=wanted)
    )


def find_monitor(backend: ScreenBackend, number: int, part: Box | None) -> Shot:
    """Return a monitor or part of it; ScreenError if absent, SourceUnsupportedError for a part outside."""
    monitors = backend.monitors()
    if not 1 <= number <= len(monitors):
        raise ScreenError(
            "missing",
            sentence(
                "There is no monitor {number}: choose one from 1 to {count}.",
                number=number,
                count=len(monitors),
            ),
        )
    box = monitors[number - 1].box
    inside = part is None or (
        0 <= part.x <= part.x + part.width <= box.width and 0 <= part.y <= part.y + part.height <= box.height
    )
    if not inside:
        raise SourceUnsupportedError(
            sentence(
                "The region does not lie on monitor {number}, which has {width}x{height} pixels: choose "
                "another one.",
                number=number,
                width=box.width,
                height=box.height,
            )
        )
    return Shot("monitor", str(number), sentence("Monitor {number}", number=number), box, part)
