"""The queue of exports, and what begins one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.exports.exports import Exports
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext

if TYPE_CHECKING:
    from desktop.ui.features.exports.exports_panel import ExportsPanel


def _make(context: PanelContext) -> ExportsPanel:
    from desktop.ui.features.exports.exports_panel import ExportsPanel

    return ExportsPanel(context.workspace, context.actions["export"])


def _export(context: WindowContext) -> None:
    """Let the user choose what to export of the open source, and as what."""
    from desktop.ui.features.exports.export_dialog import ExportDialog

    ExportDialog(context.workspace, context.viewport.window()).open()
    context.dock_area.show("exports", grow=True)


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
        panel_toggle("exports", sentence("E&xports"), order=3, key="Ctrl+Shift+E"),
        Action(
            "export",
            sentence("&Export the video..."),
            _export,
            menu="file",
            group="picture",
            order=1,
            keys=("Ctrl+E",),
            enabled=lambda w: w.workspace.get(Exports).is_offered,
        ),
    ),
)
