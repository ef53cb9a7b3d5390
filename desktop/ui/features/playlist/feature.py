"""The panel of sources that play next."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.playlist.panel import PANEL
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(panels=(PANEL,))
