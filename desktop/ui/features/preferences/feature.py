"""The page of preferences."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.preferences.actions import ACTIONS
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(actions=ACTIONS)
