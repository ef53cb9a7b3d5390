"""Checks for new versions."""

from __future__ import annotations

from functools import partial
from typing import Final

from desktop.base.wording import sentence
from desktop.ui.features.updates.updates import Updates
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

_updates = partial(Action, menu="help", group="updates")

ACTIONS: Final = (
    _updates("check_updates", sentence("Check for &updates..."), lambda w: w.workspace.get(Updates).check()),
    _updates(
        "weekly_updates",
        sentence("Check for updates once a &week"),
        lambda w: w.workspace.get(Updates).toggle_weekly(),
        enabled=lambda w: w.workspace.get(Updates).is_published,
        checked=lambda w: w.workspace.get(Updates).is_published and bool(w.workspace.settings.weekly_updates),
    ),
)


FEATURE: Final = Feature(parts=(Part(Updates, Updates),), actions=ACTIONS)
