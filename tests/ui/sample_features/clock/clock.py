"""A part as a stranger would add it."""

from __future__ import annotations

from desktop.ui.features.clock.settings import ClockSettings
from PySide6.QtCore import QObject, Signal

from desktop.ui.workspace.workspace import Workspace


class Clock(QObject):
    struck = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.ticks = 0
        self.ended = False
        self.settings = ClockSettings(workspace.settings)
        self.changes = 0
        workspace.settings.follow(self.follow, ClockSettings.chimes)
        workspace.refreshing.connect(self.tick)

    def tick(self) -> None:
        self.ticks += 1

    def follow(self) -> None:
        self.changes += 1

    def close(self) -> None:
        self.ended = True
