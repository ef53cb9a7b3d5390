"""Prompts for a segmentation network, given by clicks."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Clicks:
    made = Clicks(w.engine, w.messages, w.playback, w.edits, w)
    w.edits.take_first(made)
    w.engine_rebuilt.connect(made.clear_prompts)
    w.refreshing.connect(made.poll)
    return made


FEATURE: Final = Feature(parts=(Part(Clicks, _make),))
