"""A feature as a stranger would add it: this folder, and nothing else."""

from __future__ import annotations

from desktop.ui.features.clock.actions import ACTIONS, MENUS
from desktop.ui.features.clock.clock import Clock
from desktop.ui.features.clock.panel import PANEL, ClockPanel
from desktop.ui.features.clock.settings import ClockSettings

from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part


def _connect(desk: WindowContext) -> None:
    desk.workspace.get(Clock).struck.connect(lambda: desk.dock_area.show(PANEL.id))
    desk.dock_area.panel(PANEL.id, ClockPanel).button.clicked.connect(desk.leave_control)


FEATURE = Feature(
    parts=(Part(Clock, Clock),),
    panels=(PANEL,),
    menus=MENUS,
    actions=ACTIONS,
    settings=ClockSettings.all(),
    connect=_connect,
)
