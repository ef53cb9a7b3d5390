"""Checks for new versions."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.updates.actions import ACTIONS
from desktop.ui.features.updates.updates import Updates
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(parts=(Part(Updates, Updates),), actions=ACTIONS)
