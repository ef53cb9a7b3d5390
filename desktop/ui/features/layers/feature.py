"""Layers: videos, images and texts over and under the main image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.layers.layer_edits import LayerEdits
from desktop.ui.features.layers.layer_tool import LayerTool
from desktop.ui.features.layers.scenes import ACTIONS, MENUS
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.layers.layers_panel import LayersPanel


def _make_panel(context: PanelContext) -> LayersPanel:
    from desktop.ui.features.layers.layers_panel import LayersPanel

    return LayersPanel(context.workspace, context.themed)


PANEL: Final = PanelSpec(
    "layers",
    sentence("Layers"),
    place="right",
    order=4,
    size=(330, 420),
    shown=False,
    closed_by=sentence("Hide the layers"),
    late=True,
    modules=("desktop.ui.features.layers.layers_panel",),
    make=_make_panel,
    actions=(panel_toggle("layers", sentence("La&yers and text"), group="figures", order=3, key="Y"),),
)


def _make(w: Workspace) -> LayerEdits:
    made = LayerEdits(w.engine, w.messages, w.edits, w.playback, w)
    w.refreshing.connect(made.poll)
    return made


def _connect(window: WindowContext) -> None:
    LayerTool(window.workspace.get(LayerEdits), window.viewport)


FEATURE: Final = Feature(
    parts=(Part(LayerEdits, _make),), panels=(PANEL,), menus=MENUS, actions=ACTIONS, connect=_connect
)
