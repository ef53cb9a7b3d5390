"""The results of the network, their selection and their export."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.results.chosen import Chosen
from desktop.ui.features.results.panel import PANEL
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make_chosen(w: Workspace) -> Chosen:
    made = Chosen(w)
    w.get(Grid).used.connect(lambda: made.choose(()))
    return made


def _make_export(w: Workspace) -> ResultsExport:
    return ResultsExport(w.engine, w.jobs, w.messages, w.playback, w.edits, w.get(Decoding), w)


FEATURE: Final = Feature(
    parts=(Part(Chosen, _make_chosen), Part(ResultsExport, _make_export)), panels=(PANEL,)
)
