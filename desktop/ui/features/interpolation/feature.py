"""Frame interpolation during playback."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.interpolation.actions import ACTIONS
from desktop.ui.features.interpolation.card import CARD
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Interpolation:
    made = Interpolation(w.engine, w.messages, w.playback, w.edits, w)
    w.engine_rebuilt.connect(made.renew)
    w.refreshing.connect(made.poll)
    return made


FEATURE: Final = Feature(parts=(Part(Interpolation, _make),), cards=(CARD,), actions=ACTIONS)
