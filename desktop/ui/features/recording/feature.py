"""Snapshots and recordings."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Pictures:
    pictures = Pictures(w.engine, w.jobs, w.messages, w.playback, w.get(SavedOverlay), w.settings, w)
    w.outputs.add_user(lambda: pictures.in_use)
    return pictures


FEATURE: Final = Feature(parts=(Part(Pictures, _make),))
