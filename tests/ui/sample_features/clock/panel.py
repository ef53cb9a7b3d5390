"""The panel of the sample feature, which shows its part."""

from __future__ import annotations

from desktop.ui.features.clock.clock import Clock
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelSpec


class ClockPanel(QWidget):
    def __init__(self, workspace) -> None:
        super().__init__()
        self.button = QPushButton("Start the clock")
        self.button.clicked.connect(lambda: workspace.messages.said.emit("Started"))
        QVBoxLayout(self).addWidget(self.button)
        self.clock = workspace.get(Clock)
        self.updates = 0
        self.ended = False

    def update_figures(self) -> None:
        self.updates += 1

    def shutdown(self) -> None:
        self.ended = True


PANEL = PanelSpec(
    "clock",
    "Sample clock",
    place="right",
    order=1,
    make=lambda context: ClockPanel(context.workspace),
    actions=(
        Action(
            "clock",
            "Sample &clock",
            lambda w: w.dock_area.toggle("clock"),
            menu="view",
            group="figures",
            keys=("Ctrl+Alt+C",),
            checked=lambda w: w.dock_area.is_shown("clock"),
        ),
    ),
)
