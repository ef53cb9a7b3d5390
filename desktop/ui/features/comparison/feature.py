"""Comparison of a network on two backends or precisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.networks.networks import Networks
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext

if TYPE_CHECKING:
    from desktop.ui.features.comparison.comparison_panel import ComparisonPanel


def _make(context: PanelContext) -> ComparisonPanel:
    from desktop.ui.features.comparison.comparison_panel import ComparisonPanel

    return ComparisonPanel(context.workspace)


PANEL: Final = PanelSpec(
    "comparison",
    sentence("Compare backends"),
    tab=sentence("Comparison"),
    place="bottom",
    order=3,
    size=(0, 240),
    shown=False,
    closed_by=sentence("Hide the comparison"),
    late=True,
    modules=("desktop.ui.features.comparison.comparison_panel",),
    make=_make,
    actions=(
        panel_toggle("comparison", sentence("&Compare backends"), group="figures", order=4, key="Shift+N"),
    ),
)


def _connect(context: WindowContext) -> None:
    context.workspace.get(Networks).comparison_requested.connect(lambda: context.dock_area.show(PANEL.id))


FEATURE: Final = Feature(panels=(PANEL,), connect=_connect)
