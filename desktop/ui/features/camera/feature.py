"""Controls of the camera that plays."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.camera.camera_controls import CameraControls
from desktop.ui.features.camera.panel import PANEL
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(
    parts=(Part(CameraControls, lambda w: CameraControls(w.playback, w.settings, w)),),
    panels=(PANEL,),
)
