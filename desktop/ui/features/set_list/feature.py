"""Feature of the set list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.set_list.set_list import SetList
from desktop.ui.features.set_list.settings import SetListSettings
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.workspace import Part

if TYPE_CHECKING:
    from desktop.ui.features.set_list.panel import SetListPanel


def _make_panel(context: PanelContext) -> SetListPanel:
    from desktop.ui.features.set_list.panel import SetListPanel

    return SetListPanel(context)


PANEL: Final = PanelSpec(
    "set_list",
    sentence("Set list"),
    place="right",
    order=6,
    size=(0, 220),
    shown=False,
    closed_by=sentence("Hide the set list"),
    late=True,
    modules=("desktop.ui.features.set_list.panel",),
    make=_make_panel,
    actions=(
        panel_toggle("set_list", sentence("Set l&ist"), order=6, key="Ctrl+Shift+K"),
        Action(
            "set_list_next",
            sentence("Next look of the set list"),
            lambda w: w.workspace.get(SetList).step(1),
            menu="filters",
            group="library",
            order=1,
            keys=("Ctrl+PgDown",),
            enabled=lambda w: bool(w.workspace.get(SetList).entries),
        ),
        Action(
            "set_list_previous",
            sentence("Previous look of the set list"),
            lambda w: w.workspace.get(SetList).step(-1),
            menu="filters",
            group="library",
            order=1,
            keys=("Ctrl+PgUp",),
            enabled=lambda w: bool(w.workspace.get(SetList).entries),
        ),
    ),
)

FEATURE: Final = Feature(parts=(Part(SetList, SetList),), panels=(PANEL,), settings=SetListSettings.all())
