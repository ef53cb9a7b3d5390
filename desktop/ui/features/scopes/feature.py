"""Scopes of the video's levels and colors, and a color picker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.scopes.picker_tool import PickerTool
from desktop.ui.features.scopes.scopes import Scopes
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.scopes.scopes_panel import ScopesPanel


def _make_panel(context: PanelContext) -> ScopesPanel:
    from desktop.ui.features.scopes.scopes_panel import ScopesPanel

    return ScopesPanel(context.workspace, context.themed, context.actions)


def _pick(window: WindowContext) -> None:
    scopes = window.workspace.get(Scopes)
    if not scopes.is_picking:
        window.dock_area.show(PANEL.id, grow=True)
    scopes.set_picking(not scopes.is_picking)


def _magnify(window: WindowContext) -> None:
    scopes = window.workspace.get(Scopes)
    if not scopes.is_magnifying:
        window.dock_area.show(PANEL.id, grow=True)
    scopes.set_magnifying(not scopes.is_magnifying)


PANEL: Final = PanelSpec(
    "scopes",
    sentence("Scopes"),
    place="bottom",
    order=6,
    size=(0, 240),
    shown=False,
    closed_by=sentence("Hide the scopes"),
    late=True,
    modules=("desktop.ui.features.scopes.scopes_panel",),
    make=_make_panel,
    actions=(
        panel_toggle("scopes", sentence("Sco&pes"), group="figures", order=2, key="H"),
        Action(
            "pick_color",
            sentence("Pic&k a color"),
            _pick,
            menu="view",
            group="figures",
            order=2,
            keys=("Shift+H",),
            checked=lambda w: w.workspace.get(Scopes).is_picking,
            enabled=lambda w: w.workspace.playback.has_picture,
        ),
        Action(
            "magnify",
            sentence("Magnif&y pixels"),
            _magnify,
            menu="view",
            group="figures",
            order=2,
            keys=("Shift+X",),
            checked=lambda w: w.workspace.get(Scopes).is_magnifying,
            enabled=lambda w: w.workspace.playback.has_picture,
        ),
    ),
)


def _make(w: Workspace) -> Scopes:
    made = Scopes(w.engine, w.settings, w.messages, w.playback, w.edits, w)
    w.edits.setup_changed.connect(made.follow_chain)
    w.progressed.connect(made.poll)
    w.refreshing.connect(made.poll)
    return made


def _connect(window: WindowContext) -> None:
    PickerTool(window.workspace.get(Scopes), window.viewport)


FEATURE: Final = Feature(parts=(Part(Scopes, _make),), panels=(PANEL,), connect=_connect)
