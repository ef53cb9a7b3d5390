"""Actions of the main window that open a labeling window."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.desk import Desk


def _label_folder(desk: Desk) -> None:
    from desktop.ui.features.labeling.window import ask_folder

    ask_folder(desk)


def _label_video(desk: Desk) -> None:
    from desktop.ui.features.labeling.window import ask_video

    ask_video(desk)


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
