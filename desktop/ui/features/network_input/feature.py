"""The input of the network, as it is prepared."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.network_input.panel import PANEL
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(panels=(PANEL,))
