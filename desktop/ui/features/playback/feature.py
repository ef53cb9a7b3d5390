"""Playback: the sources that play next, and the actions; the window makes the transport bar."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.playback.actions import ACTIONS, MENUS
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> PlaylistPlayer:
    return PlaylistPlayer(w.jobs, w.messages, w.playback, w.settings, w)


FEATURE: Final = Feature(parts=(Part(PlaylistPlayer, _make),), menus=MENUS, actions=ACTIONS)
