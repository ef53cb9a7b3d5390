"""The action that switches frame interpolation."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.workspace.action import Action

ACTIONS: Final = (
    Action(
        "interpolate",
        sentence("&Interpolate frames"),
        lambda w: w.workspace.get(Interpolation).toggle(),
        menu="filters",
        group="networks",
        order=2,
        checked=lambda w: w.workspace.edits.setup.interpolation is not None,
        enabled=lambda w: w.workspace.get(Interpolation).can_toggle,
    ),
)
