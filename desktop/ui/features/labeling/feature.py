"""The window in which images are labeled, and the actions that open it."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.labeling.main_actions import ACTIONS
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(actions=ACTIONS)
