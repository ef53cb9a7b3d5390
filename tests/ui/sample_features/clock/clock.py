"""A part as a stranger would add it."""

from __future__ import annotations

from desktop.ui.workspace.workspace import Workspace


class Clock:
    def __init__(self, workspace: Workspace) -> None:
        self.ticks = 0
        self.ended = False
        workspace.refreshing.connect(self.tick)

    def tick(self) -> None:
        self.ticks += 1

    def close(self) -> None:
        self.ended = True
