"""Wayland, where programs cannot reserve keys; XWayland passes on those of its own windows alone."""

from __future__ import annotations

import os
from typing import Final

from desktop.base.errors import HotkeyError
from desktop.base.wording import sentence
from desktop.ui.features.hotkeys.system import HotkeySystem, Lost, OpenSystem, Pressed


def _applies(platform: str) -> bool:
    return platform.startswith("wayland") or (platform == "xcb" and bool(os.environ.get("WAYLAND_DISPLAY")))


def _open(pressed: Pressed, lost: Lost) -> OpenSystem:
    raise HotkeyError(
        sentence(
            "Global shortcuts do not work in a Wayland session; have a shortcut of the desktop run curl with a "
            "request of remote control instead."
        )
    )


SYSTEM: Final = HotkeySystem(0, _applies, _open)
