"""A second window with the frame alone; the window makes it."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.clean_output.actions import ACTIONS, MENUS
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(menus=MENUS, actions=ACTIONS)
