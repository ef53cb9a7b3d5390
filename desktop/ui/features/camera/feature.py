"""Controls of the camera in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.camera.camera_controls import CameraControls
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.workspace import Part

if TYPE_CHECKING:
    from desktop.ui.features.camera.controls_panel import ControlsPanel


def _make(context: PanelContext) -> ControlsPanel:
    from desktop.ui.features.camera.controls_panel import ControlsPanel

    return ControlsPanel(context.workspace.get(CameraControls), context.themed)


PANEL: Final = PanelSpec(
    "camera_controls",
    sentence("Camera controls"),
    place="right",
    order=5,
    size=(0, 300),
    shown=False,
    closed_by=sentence("Hide the camera controls"),
    late=True,
    modules=("desktop.ui.features.camera.controls_panel",),
    make=_make,
    actions=(panel_toggle("camera_controls", sentence("Camera c&ontrols"), order=4, key="Shift+C"),),
)


FEATURE: Final = Feature(
    parts=(Part(CameraControls, lambda w: CameraControls(w.playback, w.settings, w)),),
    panels=(PANEL,),
)
