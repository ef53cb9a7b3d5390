"""The graphics adapter that computes."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.adapter.adapter_choice import AdapterChoice
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(parts=(Part(AdapterChoice, AdapterChoice),))
