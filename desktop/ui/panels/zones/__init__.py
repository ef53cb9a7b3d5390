"""The page of zones, beside the library's filters. Only this file is imported before the first picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.action import Action
from desktop.ui.panel import PanelContext, PanelSpec

if TYPE_CHECKING:
    from desktop.ui.panels.zones.zones_panel import ZonesPanel


def _make(context: PanelContext) -> ZonesPanel:
    from desktop.ui.panels.zones.zones_panel import ZonesPanel

    return ZonesPanel(context.controller, context.themed, context.actions)


PANEL: Final = PanelSpec(
    "zones",
    sentence("Zones"),
    place="left",
    order=3,
    beside="library",
    tab=sentence("Zones"),
    late=True,
    make=_make,
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
            lambda w: w.controller.zones.begin("polygon"),
            menu="filters",
            group="zones",
            keys=("Z",),
            checked=lambda w: w.controller.zones.is_drawing("polygon"),
            enabled=lambda w: w.controller.playback.has_picture,
        ),
        Action(
            "draw_line",
            sentence("Draw a &line"),
            lambda w: w.controller.zones.begin("line"),
            menu="filters",
            group="zones",
            keys=("Shift+Z",),
            checked=lambda w: w.controller.zones.is_drawing("line"),
            enabled=lambda w: w.controller.playback.has_picture,
        ),
        Action(
            "heat_map",
            sentence("&Heat map"),
            lambda w: w.controller.zones.toggle_heat_map(),
            menu="filters",
            group="zones",
            checked=lambda w: w.controller.zones.scene.heat_map,
        ),
        Action(
            "reset_counts",
            sentence("&Count from nothing"),
            lambda w: w.controller.zones.reset_counts(),
            menu="filters",
            group="zones",
            enabled=lambda w: bool(w.controller.zones.scene.zones) or w.controller.zones.scene.heat_map,
        ),
    ),
)
