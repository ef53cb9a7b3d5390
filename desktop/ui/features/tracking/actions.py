"""The action that switches tracking."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.workspace.action import Action

ACTIONS: Final = (
    Action(
        "follow_things",
        sentence("&Track objects"),
        lambda w: w.workspace.edits.toggle_track(),
        menu="filters",
        group="networks",
        order=1,
        checked=lambda w: w.workspace.edits.setup.scene.track is not None,
        enabled=lambda w: w.workspace.edits.setup.network is not None,
    ),
)
