"""Parameters that change over time."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.automation.automations import Automations
from desktop.ui.features.cuts.cuts import Cuts
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Automations:
    made = Automations(w.engine, w.edits, w.playback, w.messages, w.settings, w.get(Cuts), w)
    w.progressed.connect(made.follow_frame)
    w.edits.setup_changed.connect(made.follow_setup)
    return made


FEATURE: Final = Feature(parts=(Part(Automations, _make),))
