"""Feature that supplies automations with audio, MIDI devices and OSC messages."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.controllers.audio_following import AudioFollowing
from desktop.ui.features.controllers.controllers import Controllers
from desktop.ui.features.grid.grid import Grid
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make_controllers(w: Workspace) -> Controllers:
    return Controllers(w.engine, w.settings, w.jobs, w.messages, w.playback, w)


def _make_following(w: Workspace) -> AudioFollowing:
    return AudioFollowing(w.engine, w.settings, w.edits, w.messages, w.playback, w.get(Grid), w)


FEATURE: Final = Feature(
    parts=(Part(Controllers, _make_controllers), Part(AudioFollowing, _make_following)),
)
