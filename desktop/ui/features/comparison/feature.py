"""Comparison of a network on two backends or precisions."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.comparison.panel import PANEL
from desktop.ui.features.networks.networks import Networks
from desktop.ui.workspace.desk import Desk
from desktop.ui.workspace.feature import Feature


def _connect(desk: Desk) -> None:
    desk.workspace.get(Networks).compare_asked.connect(lambda: desk.dock_area.show(PANEL.id))


FEATURE: Final = Feature(panels=(PANEL,), connect=_connect)
