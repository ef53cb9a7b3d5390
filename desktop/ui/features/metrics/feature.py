"""The Prometheus endpoint."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.metrics.metrics import Metrics
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.zones.zones import Zones
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Metrics:
    return Metrics(
        w.engine,
        w.settings,
        w.jobs,
        w.messages,
        w.playback,
        w.get(Grid),
        w.get(Pictures),
        w.get(LiveOutputs),
        w.get(Zones),
        w,
    )


FEATURE: Final = Feature(parts=(Part(Metrics, _make),))
