"""Subtitles of the source."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.subtitles.actions import ACTIONS, MENUS
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Subtitles:
    made = Subtitles(w.settings, w.messages, w.playback, w)
    w.get(Opening).subtitles_found.connect(made.add_file)
    return made


FEATURE: Final = Feature(parts=(Part(Subtitles, _make),), menus=MENUS, actions=ACTIONS)
