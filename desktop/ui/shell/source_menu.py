"""Menu of the source chip: what to open, and recent sources."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from desktop.ui.features.opening.opening import Opening
from desktop.ui.workspace.source_kinds import kind_of
from desktop.ui.workspace.workspace import Workspace

_OPENING: Final = ("open", "open_folder", "open_address", "open_camera", "open_screen")
_OTHERS: Final = ("open_sample", "close_source")
_MOST_RECENT: Final = 8


def recent_titles(names: list[str]) -> list[str]:
    """Return short titles of recent sources: file names, with the folder where two are equal."""
    short = [name if kind_of(name) == "stream" else Path(name).name or name for name in names]
    return [
        f"{title} ({Path(name).parent.name})" if short.count(title) > 1 else title
        for name, title in zip(names, short, strict=True)
    ]


def source_menu(workspace: Workspace, actions: Mapping[str, QAction], parent: QWidget) -> QMenu:
    """Return the menu, filled whenever it opens."""
    menu = QMenu(parent)

    def fill() -> None:
        menu.clear()
        menu.addActions([actions[name] for name in _OPENING])
        recent = workspace.settings.recent[:_MOST_RECENT]
        if recent:
            menu.addSection(QCoreApplication.translate("SourceMenu", "Recent"))
        for name, title in zip(recent, recent_titles(recent), strict=True):
            # Escaped: an ampersand in a file name would become a mnemonic.
            entry = menu.addAction(title.replace("&", "&&"))
            entry.setToolTip(name)
            entry.triggered.connect(lambda _=False, n=name: workspace.get(Opening).open(n))
        menu.addSeparator()
        menu.addActions([actions[name] for name in _OTHERS])
        menu.addSeparator()
        menu.addAction(actions["show_sources"])

    menu.setToolTipsVisible(True)
    menu.aboutToShow.connect(fill)
    return menu
