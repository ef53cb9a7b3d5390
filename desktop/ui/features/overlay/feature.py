"""The overlay on saved frames."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(
    parts=(Part(SavedOverlay, lambda w: SavedOverlay(w.engine, w.edits, w.settings, w.get(Subtitles))),)
)
