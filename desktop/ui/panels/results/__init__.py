"""Panel with the current results as a table, and their export over the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.action import Action
from desktop.ui.desk import Desk
from desktop.ui.panel import PanelContext, PanelSpec

if TYPE_CHECKING:
    from desktop.ui.panels.results.results_panel import ResultsPanel


def _make(context: PanelContext) -> ResultsPanel:
    from desktop.ui.panels.results.results_panel import ResultsPanel

    return ResultsPanel(context.controller, context.themed, context.actions["export_results"])


def _export(desk: Desk) -> None:
    desk.dialogs.ask_export_of_results()


PANEL: Final = PanelSpec(
    "results",
    sentence("Results"),
    place="bottom",
    order=1,
    shown=False,
    closed_by=sentence("Hide the results"),
    late=True,
    make=_make,
    actions=(
        Action(
            "results",
            sentence("&Results"),
            lambda w: w.dock_area.toggle("results", grow=True),
            menu="view",
            group="panels",
            order=2,
            keys=("Ctrl+Shift+R",),
            checked=lambda w: w.dock_area.is_shown("results"),
        ),
        Action(
            "export_results",
            sentence("Export results..."),
            _export,
            menu="file",
            group="picture",
            order=1,
            enabled=lambda w: w.controller.export.is_offered,
        ),
    ),
)
