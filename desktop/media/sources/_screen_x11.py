"""Screens of an X server: monitors and windows by `_x11.py`, frames by libavdevice's x11grab."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping
from typing import Any

from desktop.base.errors import ScreenError
from desktop.base.wording import Text, sentence
from desktop.media.containers import open_container
from desktop.media.sources._screen_values import Box, Monitor, ScreenWindow, Shot, grabbed
from desktop.media.sources._x11 import Display, X11Error


class X11Screens:
    """An X server, by one connection made on demand; `environment` has DISPLAY and the session's type."""

    has_windows = True
    crops = True

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._name = environment.get("DISPLAY", "")
        self._wayland = bool(environment.get("WAYLAND_DISPLAY")) or (
            environment.get("XDG_SESSION_TYPE") == "wayland"
        )
        self._connected: Display | None = None
        self._lock = threading.Lock()

    def monitors(self) -> list[Monitor]:
        """By RandR. In a Wayland session the frame would be black: refused."""
        if self._wayland:
            raise ScreenError("denied", _WAYLAND)
        try:
            outputs = self._display().outputs()
        except X11Error:
            raise self._unreadable() from None
        outputs.sort(key=lambda output: (not output.primary, output.box.x, output.box.y))
        return [Monitor(number, one.name, one.box) for number, one in enumerate(outputs, 1)]

    def windows(self) -> list[ScreenWindow]:
        """Return the windows of the window manager, except ours; in a Wayland session, only X11's."""
        display, found = self._display(), []
        try:
            listed = display.windows()
        except X11Error:
            raise self._unreadable() from None
        for window in reversed(listed):
            title = display.title(window)
            place = _box_of(display, window) if title and display.owner(window) != os.getpid() else None
            if place is not None:
                found.append(ScreenWindow(f"{window:#x}", title, place))
        return found

    def place(self, window: str) -> Box | None:
        """Ask the server."""
        number = int(window, 16)
        # Ids of X have 32 bits; those of Windows, which an address may have, 64.
        return _box_of(self._display(), number) if number < 1 << 32 else None

    def open(self, shot: Shot, rate: int, cursor: bool) -> Any:
        """Open x11grab. Of a window all is captured, also what others cover."""
        # What the frames are is known without reading some of them first.
        options = {"framerate": str(rate), "draw_mouse": str(int(cursor)), "fpsprobesize": "0"}
        if shot.kind == "window":
            # A frame of what is covered is a courtesy: without it the rest goes on.
            with contextlib.suppress(X11Error):
                self._display().store_complete_image(int(shot.id, 16))
            options["window_id"] = shot.id
        else:
            box = grabbed(shot)
            options |= {"grab_x": str(box.x), "grab_y": str(box.y), "video_size": f"{box.width}x{box.height}"}
        return open_container(self._name, format="x11grab", options=options)

    def _display(self) -> Display:
        if not self._name:
            raise ScreenError("denied", _WAYLAND if self._wayland else _NO_SCREEN)
        with self._lock:
            if self._connected is None or not self._connected.is_alive:
                try:
                    self._connected = Display(self._name)
                except X11Error:
                    raise self._unreadable() from None
            return self._connected

    def _unreadable(self) -> ScreenError:
        return ScreenError(
            "denied",
            sentence(
                "The screen {name} can't be read: check that its X server runs, lets you in, and that "
                "libxcb is installed.",
                name=self._name,
            ),
        )


_NO_SCREEN = sentence("There is no screen to capture (DISPLAY is not set): start Lightloom on a desktop.")
_WAYLAND: Text = sentence(
    "A Wayland desktop shows its screen to no program by itself: log in with X11, or share it by the "
    "virtual camera of OBS Studio and open "
    "that camera. Windows of X11 programs can be captured (screen:window=...)."
)


def _box_of(display: Display, window: int) -> Box | None:
    try:
        box = display.box(window)
    except X11Error:
        return None
    return box if display.is_viewable(window) else Box(box.x, box.y, 0, 0)
