"""Feature of the list of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.event_list.event_list import EventList
from desktop.ui.features.event_list.settings import EventListSettings
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.workspace import Part

if TYPE_CHECKING:
    from desktop.ui.features.event_list.panel import EventsPanel


def _make_panel(context: PanelContext) -> EventsPanel:
    from desktop.ui.features.event_list.panel import EventsPanel

    return EventsPanel(context)


PANEL: Final = PanelSpec(
    "events",
    sentence("Events"),
    place="right",
    order=10,
    size=(0, 220),
    shown=False,
    closed_by=sentence("Hide the events"),
    late=True,
    modules=("desktop.ui.features.event_list.panel",),
    make=_make_panel,
    actions=(panel_toggle("events", sentence("E&vents"), order=7, key="Ctrl+Shift+I"),),
)

FEATURE: Final = Feature(
    parts=(Part(EventList, EventList),), panels=(PANEL,), settings=EventListSettings.all()
)
