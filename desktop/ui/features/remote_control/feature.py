"""Feature of remote control, off until it is switched on."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.features.library.presets import Presets
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.remote_control.remote_control import RemoteControl
from desktop.ui.features.remote_control.settings import ControlSettings
from desktop.ui.features.set_list.set_list import SetList
from desktop.ui.kit.widgets import Themed
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> RemoteControl:
    for kind in (Opening, Pictures, Presets, SetList):
        w.get(kind)  # which requests use: they are closed after it
    return RemoteControl(w)


def _show_dialog(context: WindowContext) -> None:
    from desktop.ui.features.remote_control.dialog import RemoteControlDialog

    window = context.viewport.window()
    there = window.findChild(RemoteControlDialog)
    dialog = there or RemoteControlDialog(context.workspace, context.workspace.get(Themed), window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


FEATURE: Final = Feature(
    parts=(Part(RemoteControl, _make),),
    settings=ControlSettings.all(),
    actions=(
        Action(
            "remote_control",
            sentence("Remote co&ntrol..."),
            _show_dialog,
            menu="edit",
            group="program",
        ),
    ),
)
