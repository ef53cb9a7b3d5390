"""The chain of filters and the network."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.chain.panel import PANEL
from desktop.ui.features.chain.stage_failures import StageFailures
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(parts=(Part(StageFailures, StageFailures),), panels=(PANEL,))
