"""The networks in use, and the page of networks."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.networks.panel import PANEL
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Networks:
    made = Networks(w.engine, w.settings, w.jobs, w.messages, w.edits, w)
    w.refreshing.connect(made.look)
    return made


FEATURE: Final = Feature(parts=(Part(Networks, _make),), panels=(PANEL,))
