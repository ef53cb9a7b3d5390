"""Several sources at once; the other parts act on the active tile."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.grid.actions import ACTIONS, MENUS
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Grid:
    return Grid(
        w.engine,
        w.messages,
        w.playback,
        w.get(PlaylistPlayer),
        w.edits,
        w.get(Opening),
        w.get(Pictures),
        w.get(Clicks),
        w,
    )


FEATURE: Final = Feature(parts=(Part(Grid, _make),), menus=MENUS, actions=ACTIONS)
