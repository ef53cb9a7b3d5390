"""Live outputs: a virtual camera, streams."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.outputs.panel import PANEL
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> LiveOutputs:
    return LiveOutputs(w.engine, w.settings, w.jobs, w.messages, w.playback, w.edits, w.get(SavedOverlay), w)


FEATURE: Final = Feature(parts=(Part(LiveOutputs, _make),), panels=(PANEL,))
