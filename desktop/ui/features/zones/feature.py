"""Zones on the frame and the actions of their events."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.features.zones.panel import PANEL
from desktop.ui.features.zones.zones import Zones
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Zones:
    made = Zones(w.engine, w.messages, w.playback, w.edits, w.get(SavedOverlay), w)
    w.get(Grid).used.connect(made.leave)
    return made


FEATURE: Final = Feature(parts=(Part(Zones, _make),), panels=(PANEL,))
