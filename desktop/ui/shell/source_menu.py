"""Menu of the source chip: what to open, and recent sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.recents import RecentMenu, RecentSources
from desktop.ui.workspace.workspace import Workspace

_OPENING: Final = ("open", "open_folder", "open_address", "open_camera", "open_screen")
_OTHERS: Final = ("open_sample", "close_source")
_MOST_RECENT: Final = 8


def source_menu(workspace: Workspace, actions: Mapping[str, QAction], parent: QWidget) -> QMenu:
    """Return the menu, filled whenever it opens."""
    menu = QMenu(parent)
    recent = RecentMenu(menu, workspace.get(RecentSources), workspace.get(Opening), _MOST_RECENT)

    def fill() -> None:
        menu.clear()
        menu.addActions([actions[name] for name in _OPENING])
        if workspace.settings.recent:
            menu.addSection(QCoreApplication.translate("SourceMenu", "Recent"))
            recent.add_entries()
        menu.addSeparator()
        menu.addActions([actions[name] for name in _OTHERS])
        menu.addSeparator()
        menu.addAction(actions["show_sources"])

    menu.aboutToShow.connect(fill)
    return menu
