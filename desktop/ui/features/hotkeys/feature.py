"""Feature of global shortcuts, of which none is set at first."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.hotkeys.hotkeys import Hotkeys, window_actions
from desktop.ui.features.hotkeys.settings import HotkeySettings
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(
    parts=(Part(Hotkeys, lambda w: Hotkeys(w.settings, w.messages, window_actions(w), w)),),
    settings=HotkeySettings.all(),
)
