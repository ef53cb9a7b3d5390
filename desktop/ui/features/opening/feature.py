"""Opening of sources, looks and shaders."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.opening.recents import RecentSources
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.workspace.fader import Fader
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make_shaders(w: Workspace) -> OwnShaders:
    made = OwnShaders(w.engine, w.messages, w.edits, w)
    made.filters_changed.connect(w.playback.woken)
    return made


def _make(w: Workspace) -> Opening:
    return Opening(
        w.engine,
        w.settings,
        w.jobs,
        w.messages,
        w.playback,
        w.get(PlaylistPlayer),
        w.edits,
        w.get(Networks),
        w.get(OwnShaders),
        w.get(Fader),
        w,
    )


FEATURE: Final = Feature(
    parts=(
        Part(OwnShaders, _make_shaders),
        Part(Fader, lambda w: Fader(w.edits, w)),
        Part(Opening, _make),
        Part(RecentSources, lambda w: RecentSources(w.settings, w)),
    )
)
