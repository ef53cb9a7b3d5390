"""Zones on the frame and the actions of their events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.features.zones.zones import Zones
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.zones.zones_panel import ZonesPanel


def _make_panel(context: PanelContext) -> ZonesPanel:
    from desktop.ui.features.zones.zones_panel import ZonesPanel

    return ZonesPanel(context.workspace, context.themed, context.actions)


PANEL: Final = PanelSpec(
    "zones",
    sentence("Zones"),
    place="left",
    order=2,
    size=(250, 320),
    shown=False,
    closed_by=sentence("Hide the zones"),
    late=True,
    make=_make_panel,
    actions=(
        Action(
            "zones",
            sentence("&Zones and events"),
            lambda w: w.dock_area.search("zones"),
            menu="filters",
            group="zones",
            keys=("Ctrl+L",),
        ),
        Action(
            "draw_zone",
            sentence("&Draw a zone"),
            lambda w: w.workspace.get(Zones).begin("polygon"),
            menu="filters",
            group="zones",
            keys=("Z",),
            checked=lambda w: w.workspace.get(Zones).is_drawing("polygon"),
            enabled=lambda w: w.workspace.playback.has_picture,
        ),
        Action(
            "draw_line",
            sentence("Draw a &line"),
            lambda w: w.workspace.get(Zones).begin("line"),
            menu="filters",
            group="zones",
            keys=("Shift+Z",),
            checked=lambda w: w.workspace.get(Zones).is_drawing("line"),
            enabled=lambda w: w.workspace.playback.has_picture,
        ),
        Action(
            "heat_map",
            sentence("&Heat map"),
            lambda w: w.workspace.get(Zones).toggle_heat_map(),
            menu="filters",
            group="zones",
            checked=lambda w: w.workspace.get(Zones).scene.heat_map,
        ),
        Action(
            "reset_counts",
            sentence("&Count from nothing"),
            lambda w: w.workspace.get(Zones).reset_counts(),
            menu="filters",
            group="zones",
            enabled=lambda w: (
                bool(w.workspace.get(Zones).scene.zones) or w.workspace.get(Zones).scene.heat_map
            ),
        ),
    ),
)


def _make(w: Workspace) -> Zones:
    made = Zones(w.engine, w.messages, w.playback, w.edits, w.get(SavedOverlay), w)
    w.get(Grid).used.connect(made.leave)
    return made


FEATURE: Final = Feature(parts=(Part(Zones, _make),), panels=(PANEL,))
