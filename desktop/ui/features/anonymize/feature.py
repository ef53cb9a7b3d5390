"""Redaction of detected objects."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.anonymize.actions import ACTIONS
from desktop.ui.features.anonymize.card import CARD
from desktop.ui.workspace.feature import Feature

FEATURE: Final = Feature(cards=(CARD,), actions=ACTIONS)
