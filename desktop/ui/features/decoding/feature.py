"""The choice of the video decoder."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.decoding.actions import ACTIONS, MENUS
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(
    parts=(Part(Decoding, lambda w: Decoding(w.settings, w.messages, w.playback, w)),),
    menus=MENUS,
    actions=ACTIONS,
)
