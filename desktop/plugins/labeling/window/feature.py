"""The window in which images are labeled, and the actions that open it."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext


def _label_folder(context: WindowContext) -> None:
    from desktop.plugins.labeling.window.window import choose_folder

    choose_folder(context)


def _label_video(context: WindowContext) -> None:
    from desktop.plugins.labeling.window.window import choose_video

    choose_video(context)


ACTIONS: Final = (
    Action(
        "label_folder",
        sentence("&Label images..."),
        _label_folder,
        menu="file",
        group="labels",
        keys=("Ctrl+Shift+L",),
    ),
    Action("label_video", sentence("Label a &video..."), _label_video, menu="file", group="labels"),
)


FEATURE: Final = Feature(actions=ACTIONS)
