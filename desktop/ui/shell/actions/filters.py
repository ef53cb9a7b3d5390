"""Actions for filter files and looks. Those of the library and networks are with their panels."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.base.paths import user_filter_folder
from desktop.base.wording import sentence
from desktop.pipeline.setup.known import bundled_presets, looks, preset_title
from desktop.ui.features.opening.opening import Opening
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.window_context import WindowContext


def _fill_presets(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    for look in looks():
        if not look.is_bundled:
            action = menu.addAction(look.title.replace("&", "&&"))
            action.triggered.connect(
                lambda _=False, p=look.path: context.workspace.get(Opening).load_preset(p)
            )
    menu.addSeparator()
    menu.addActions(actions)


def _open_shader_folder(context: WindowContext) -> None:
    folder = user_filter_folder()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    open_outside(folder, context.workspace.messages)


def _preset(path: Path) -> Action:
    return Action(
        f"preset_{path.stem}",
        preset_title(path),
        lambda w: w.workspace.get(Opening).load_preset(path),
        menu="filters/presets",
    )


MENUS: Final = (
    Menu("filters", sentence("Effe&cts"), order=4, groups=("library", "networks", "zones", "files")),
    Menu(
        "filters/presets",
        sentence("&Looks"),
        group="library",
        fill=_fill_presets,
        titled=lambda text: QCoreApplication.translate("Menus", "Look: {0}").format(text),
    ),
)

ACTIONS: Final = (
    *(_preset(path) for path in bundled_presets()),
    Action(
        "shader_folder",
        sentence("Open the &folder of my effects"),
        _open_shader_folder,
        menu="filters",
        group="files",
    ),
)
