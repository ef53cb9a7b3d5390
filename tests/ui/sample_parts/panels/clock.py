"""A panel as a stranger would add it: this file, and nothing else."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.ui.action import Action
from desktop.ui.panel import PanelSpec


class ClockPanel(QWidget):
    def __init__(self, controller) -> None:
        super().__init__()
        self.button = QPushButton("Start the clock")
        self.button.clicked.connect(lambda: controller.messages.said.emit("Started"))
        QVBoxLayout(self).addWidget(self.button)
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
    make=lambda context: ClockPanel(context.controller),
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
