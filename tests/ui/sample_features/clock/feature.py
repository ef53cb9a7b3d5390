"""A feature as a stranger would add it: this folder, and nothing else."""

from __future__ import annotations

from desktop.ui.features.clock.actions import ACTIONS, MENUS
from desktop.ui.features.clock.clock import Clock
from desktop.ui.features.clock.panel import PANEL

from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE = Feature(parts=(Part(Clock, Clock),), panels=(PANEL,), menus=MENUS, actions=ACTIONS)
