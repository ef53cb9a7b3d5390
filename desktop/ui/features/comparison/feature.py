"""Comparison of a network on two backends or precisions."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.comparison.panel import PANEL
from desktop.ui.features.networks.networks import Networks
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext


def _connect(context: WindowContext) -> None:
    context.workspace.get(Networks).comparison_requested.connect(lambda: context.dock_area.show(PANEL.id))


FEATURE: Final = Feature(panels=(PANEL,), connect=_connect)
