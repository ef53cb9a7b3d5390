"""Video exports of the open file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.exports.exports_panel import ExportsPanel


def _make_panel(context: PanelContext) -> ExportsPanel:
    from desktop.ui.features.exports.exports_panel import ExportsPanel

    return ExportsPanel(context.workspace, context.actions["export"])


def _export(context: WindowContext) -> None:
    """Let the user choose what to export of the open source, and as what."""
    from desktop.ui.features.exports.export_dialog import ExportDialog

    dialog = ExportDialog(context.workspace, context.viewport.window())
    dialog.accepted.connect(lambda: context.dock_area.show("exports", grow=True))
    dialog.open()


PANEL: Final = PanelSpec(
    "exports",
    sentence("Exports"),
    place="bottom",
    order=2,
    shown=False,
    closed_by=sentence("Hide the exports"),
    late=True,
    modules=("desktop.ui.features.exports.exports_panel",),
    make=_make_panel,
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


def _make(w: Workspace) -> Exports:
    decoding = w.get(Decoding)
    exports = Exports(w.engine, w.jobs, w.messages, w.playback, w.edits, w.get(Subtitles), decoding, w)
    w.outputs.add_user(lambda: exports.in_use)
    return exports


FEATURE: Final = Feature(parts=(Part(Exports, _make),), panels=(PANEL,))
