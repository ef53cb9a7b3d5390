"""Panel for live outputs. Only this file is imported before the first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle

if TYPE_CHECKING:
    from desktop.ui.features.outputs.outputs_panel import OutputsPanel


def _make(context: PanelContext) -> OutputsPanel:
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
    make=_make,
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
