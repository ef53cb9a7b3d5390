"""A part as a stranger would add it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.ui.workspace.workspace import Workspace


class Clock(QObject):
    struck = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.ticks = 0
        self.ended = False
        workspace.refreshing.connect(self.tick)

    def tick(self) -> None:
        self.ticks += 1

    def close(self) -> None:
        self.ended = True
