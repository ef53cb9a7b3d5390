"""Live outputs: a virtual camera, streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.outputs.outputs_panel import OutputsPanel


def _make_panel(context: PanelContext) -> OutputsPanel:
    from desktop.ui.features.outputs.outputs_panel import OutputsPanel

    return OutputsPanel(context.workspace, context.themed)


PANEL: Final = PanelSpec(
    "outputs",
    sentence("Outputs"),
    place="bottom",
    order=5,
    size=(0, 230),
    shown=False,
    closed_by=sentence("Hide the outputs"),
    late=True,
    modules=("desktop.ui.features.outputs.outputs_panel",),
    heavy=True,
    make=_make_panel,
    actions=(
        panel_toggle("outputs", sentence("O&utputs"), order=5, key="Ctrl+Shift+U"),
        Action(
            "virtual_camera",
            sentence("&Virtual camera"),
            lambda w: w.workspace.get(LiveOutputs).toggle("virtual_camera"),
            menu="file",
            group="picture",
            order=2,
            keys=("Ctrl+Shift+V",),
            checked=lambda w: w.workspace.get(LiveOutputs).is_on("virtual_camera"),
            enabled=lambda w: (
                w.workspace.get(LiveOutputs).is_on("virtual_camera") or w.workspace.playback.has_picture
            ),
        ),
    ),
)


def _make(w: Workspace) -> LiveOutputs:
    return LiveOutputs(w.engine, w.settings, w.jobs, w.messages, w.playback, w.edits, w.get(SavedOverlay), w)


FEATURE: Final = Feature(parts=(Part(LiveOutputs, _make),), panels=(PANEL,))
