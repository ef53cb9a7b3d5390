"""Comparison of a network on two backends or precisions."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.comparison.panel import PANEL
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(panels=(PANEL,))
