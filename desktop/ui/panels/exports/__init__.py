"""The queue of exports, and what begins one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.action import Action
from desktop.ui.desk import Desk
from desktop.ui.panel import PanelContext, PanelSpec

if TYPE_CHECKING:
    from desktop.ui.panels.exports.exports_panel import ExportsPanel


def _make(context: PanelContext) -> ExportsPanel:
    from desktop.ui.panels.exports.exports_panel import ExportsPanel

    return ExportsPanel(context.controller, context.actions["export"])


def _export(desk: Desk) -> None:
    desk.dialogs.ask_export()
    desk.dock_area.show("exports", grow=True)


PANEL: Final = PanelSpec(
    "exports",
    sentence("Exports"),
    place="bottom",
    order=2,
    shown=False,
    closed_by=sentence("Hide the exports"),
    late=True,
    make=_make,
    actions=(
        Action(
            "exports",
            sentence("E&xports"),
            lambda w: w.dock_area.toggle("exports", grow=True),
            menu="view",
            group="panels",
            order=3,
            keys=("Ctrl+Shift+E",),
            checked=lambda w: w.dock_area.is_shown("exports"),
        ),
        Action(
            "export",
            sentence("&Export the video..."),
            _export,
            menu="file",
            group="picture",
            order=1,
            keys=("Ctrl+E",),
            enabled=lambda w: w.controller.exports.is_offered,
        ),
    ),
)
