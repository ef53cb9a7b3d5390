"""The results of the network, their selection and their export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.base.wording import sentence
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.results.chosen import Chosen
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.results.results_panel import ResultsPanel


def _make(context: PanelContext) -> ResultsPanel:
    from desktop.ui.features.results.results_panel import ResultsPanel

    return ResultsPanel(context.workspace, context.themed, context.actions["export_results"])


def _export(context: WindowContext) -> None:
    """Let the user choose what to export of the results, and begin."""
    from desktop.ui.features.results.results_dialog import ResultsDialog

    if not context.workspace.get(ResultsExport).can_begin:
        text = QCoreApplication.translate(
            "WindowDialogs",
            "There is no network that runs yet; wait until it is loaded, or choose another one.",
        )
        context.workspace.messages.post("error", text)
        return
    dialog = ResultsDialog(context.workspace, context.viewport.window())
    dialog.accepted.connect(lambda: context.dock_area.show("exports", grow=True))
    dialog.open()


PANEL: Final = PanelSpec(
    "results",
    sentence("Results"),
    place="bottom",
    order=1,
    shown=False,
    closed_by=sentence("Hide the results"),
    late=True,
    modules=("desktop.ui.features.results.results_panel",),
    make=_make,
    actions=(
        panel_toggle("results", sentence("&Results"), order=2, key="Ctrl+Shift+R"),
        Action(
            "export_results",
            sentence("Export results..."),
            _export,
            menu="file",
            group="picture",
            order=1,
            enabled=lambda w: w.workspace.get(ResultsExport).is_offered,
        ),
    ),
)


def _make_chosen(w: Workspace) -> Chosen:
    made = Chosen(w)
    w.get(Grid).used.connect(lambda: made.choose(()))
    return made


def _make_export(w: Workspace) -> ResultsExport:
    decoding = w.get(Decoding)
    export = ResultsExport(w.engine, w.jobs, w.messages, w.playback, w.edits, decoding, w.settings, w)
    w.outputs.add_user(lambda: export.in_use)
    return export


FEATURE: Final = Feature(
    parts=(Part(Chosen, _make_chosen), Part(ResultsExport, _make_export)), panels=(PANEL,)
)
