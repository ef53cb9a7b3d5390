"""The library of looks, effects and networks."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.chain.panel import ChainPanel
from desktop.ui.features.library.hover_trial import TriedItem
from desktop.ui.features.library.live_previews import LivePreviews
from desktop.ui.features.library.panel import PANEL
from desktop.ui.features.library.presets import Presets
from desktop.ui.features.networks.network_list import NetworkList
from desktop.ui.kit.motion import Motion
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part


def _connect(context: WindowContext) -> None:
    previews = context.workspace.get(LivePreviews)
    context.viewport.drawn.connect(previews.on_drawn)
    context.viewport.redrawn.connect(previews.on_redrawn)
    context.viewport.presented.connect(previews.begin)
    context.workspace.engine_rebuilt.connect(previews.follow_device)

    def show_settings() -> None:
        context.dock_area.show("chain")
        card = context.dock_area.panel("chain", ChainPanel).network
        card.set_expanded(True)
        card.setFocus()

    context.workspace.get(NetworkList).settings_requested.connect(show_settings)


FEATURE: Final = Feature(
    parts=(
        Part(LivePreviews, lambda w: LivePreviews(w.engine, w.playback, w.edits, w.get(Motion), w)),
        Part(TriedItem, lambda w: TriedItem(w)),
        Part(Presets, lambda w: Presets(w.jobs, w.library, w)),
    ),
    panels=(PANEL,),
    connect=_connect,
)
