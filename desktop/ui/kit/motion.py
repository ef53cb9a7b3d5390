"""Reduced motion: whether the window may move what it shows, by preference or as the system asks.

Qt reports the system's setting from 6.12 on (`QAccessibilityHints.motionPreference`).
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QProgressBar

_PORTAL_S: Final = 3.0
# GNOME and GTK desktops, KDE, and the key that all are to have.
_NAMESPACES: Final = "org.gnome.desktop.interface,org.kde.kdeglobals.KDE,org.freedesktop.appearance"
_REDUCED: Final = re.compile(
    r'"enable-animations"\s+variant\s+boolean false|"reduced-motion"\s+variant\s+uint32 1'
    r'|"AnimationDurationFactor"\s+variant\s+string "0(\.0*)?"'
)
_SPI_GETCLIENTAREAANIMATION: Final = 0x1042


def system_reduces_motion() -> bool:
    """Ask the system; it takes up to 3 s where a portal does not reply. False where the setting is unknown."""
    if sys.platform == "win32":
        return windows_reduces_motion(getattr(ctypes, "WinDLL")("user32"))  # noqa: B009
    if sys.platform == "darwin":
        return _mac_reduces_motion()
    return _portal_reduces_motion()


def _portal_reduces_motion() -> bool:
    """Read the desktop's settings from its portal by dbus-send: Qt's module for D-Bus is not in the bundle."""
    is_there = (
        "DBUS_SESSION_BUS_ADDRESS" in os.environ
        or Path(os.environ.get("XDG_RUNTIME_DIR", "/"), "bus").exists()
    )
    if not is_there:
        return False
    command = (
        *("dbus-send", "--session", "--print-reply", f"--reply-timeout={_PORTAL_S * 1000:.0f}"),
        *("--dest=org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"),
        *("org.freedesktop.portal.Settings.ReadAll", f"array:string:{_NAMESPACES}"),
    )
    try:
        reply = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=2 * _PORTAL_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return reply.returncode == 0 and _REDUCED.search(reply.stdout) is not None


def windows_reduces_motion(user32: Any) -> bool:
    """Read "Animation effects" of Windows by user32 (winuser.h)."""
    animates = ctypes.c_int(1)
    read = user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(animates), 0)
    return bool(read) and not animates.value


def _mac_reduces_motion() -> bool:
    """Read "Reduce motion" of macOS from NSWorkspace (AppKit, which Qt has loaded)."""
    objc = ctypes.CDLL("/usr/lib/libobjc.dylib")
    objc.objc_getClass.restype = objc.sel_registerName.restype = ctypes.c_void_p
    pointer = ctypes.c_void_p
    send = ctypes.CFUNCTYPE(pointer, pointer, pointer)(("objc_msgSend", objc))
    send_flag = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer)(("objc_msgSend", objc))
    workspace = send(objc.objc_getClass(b"NSWorkspace"), objc.sel_registerName(b"sharedWorkspace"))
    wanted = objc.sel_registerName(b"accessibilityDisplayShouldReduceMotion")
    return bool(workspace) and bool(send_flag(workspace, wanted))


class Motion(QObject):
    """Whether motion is reduced; what moves by itself follows `changed`."""

    changed = Signal()

    def __init__(self, preference: str = "system", parent: QObject | None = None) -> None:
        """Begin with a preference: "on", "off" or "system"."""
        super().__init__(parent)
        self._preference, self._system = preference, False

    @property
    def is_reduced(self) -> bool:
        """True if nothing is to move but the video."""
        return self._preference == "on" or (self._preference == "system" and self._system)

    def set_preference(self, preference: str) -> None:
        """Change the preference."""
        self._set(preference, self._system)

    def set_system(self, reduces: bool) -> None:
        """Take what the system asks for."""
        self._set(self._preference, reduces)

    def _set(self, preference: str, system: bool) -> None:
        before = self.is_reduced
        self._preference, self._system = preference, system
        if self.is_reduced != before:
            self.changed.emit()


class BusyBar(QProgressBar):
    """A bar without an amount, for work of unknown length; it stands still if motion is reduced."""

    def __init__(self, motion: Motion) -> None:
        super().__init__()
        self._motion = motion
        self.setTextVisible(False)
        motion.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        # Without a range Qt's style moves its chunk to and fro.
        self.setRange(0, 1 if self._motion.is_reduced else 0)
        self.setValue(1)
