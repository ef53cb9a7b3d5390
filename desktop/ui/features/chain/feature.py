"""The chain of filters and the network."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.chain.panel import PANEL, ChainPanel
from desktop.ui.features.chain.stage_failures import StageFailures
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part


def _connect(context: WindowContext) -> None:
    panel = context.dock_area.panel(PANEL.id, ChainPanel)
    panel.focus_left.connect(context.leave_control)
    panel.statistics_requested.connect(lambda: context.dock_area.show("stats", grow=True))


FEATURE: Final = Feature(parts=(Part(StageFailures, StageFailures),), panels=(PANEL,), connect=_connect)
