"""The panel of figures."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.statistics.panel import PANEL
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(panels=(PANEL,))
