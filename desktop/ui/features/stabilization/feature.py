"""Stabilization of live sources: a switch in the menu of playback."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.base.wording import sentence
from desktop.ui.features.stabilization.stabilization import LiveStabilizations
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> LiveStabilizations:
    return LiveStabilizations(w.playback, w.settings, w.messages, w)


def _toggle(context: WindowContext) -> None:
    # Imported on demand: the window starts quickly without it.
    from desktop.media.stabilization.live import AHEAD

    context.workspace.get(LiveStabilizations).toggle()
    translate = QCoreApplication.translate
    context.show_message(
        translate("Stabilization", "Stabilization on: frames are shown {0} frames later").format(AHEAD)
        if context.workspace.settings.stabilizes_live
        else translate("Stabilization", "Stabilization off")
    )


FEATURE: Final = Feature(
    parts=(Part(LiveStabilizations, _make),),
    actions=(
        Action(
            "stabilize_live",
            sentence("Stabili&ze live sources"),
            _toggle,
            menu="playback",
            group="picture",
            checked=lambda w: w.workspace.settings.stabilizes_live,
            enabled=lambda w: w.workspace.get(LiveStabilizations).is_offered,
        ),
    ),
)
