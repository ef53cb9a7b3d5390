"""Feature of the OSC output, off until an address is set."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.osc_output.osc_sender import OscSender
from desktop.ui.features.osc_output.settings import OscOutputSettings
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part

FEATURE: Final = Feature(
    parts=(Part(OscSender, lambda w: OscSender(w.engine, w.settings, w.jobs, w.messages, w.edits, w)),),
    settings=OscOutputSettings.all(),
)
