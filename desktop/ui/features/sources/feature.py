"""The panel of sources."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.sources.panel import PANEL
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(panels=(PANEL,))
