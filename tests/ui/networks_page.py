"""Drive the library's page of networks as a user does: its tiles, their buttons and menus."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop.ui.features.library.items import GalleryItem
from desktop.ui.features.library.panel import LibraryPanel
from desktop.ui.features.networks.dialogs import InputForms
from desktop.ui.features.networks.network_list import ListedNetwork, NetworkList
from desktop.ui.shell.window import Window


class NetworksPage:
    """The page of networks of a window, and what stands behind it."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.library = window.dock_area.panel("library", LibraryPanel)
        self.networks = window.workspace.get(NetworkList)
        self.forms = window.workspace.get(InputForms)

    def show(self) -> None:
        """Show the page by its action."""
        self.window.actions_by_name["networks"].trigger()

    def leave(self) -> None:
        """Show the page of looks again, without a search."""
        self.library.search.clear()
        self.library.groups.setCurrentIndex(0)
        self.library.show_page("looks")

    @property
    def keys(self) -> set[str]:
        """The keys of all networks."""
        return {each.item.key for each in self.networks.listed}

    def listed(self, key: str) -> ListedNetwork:
        """A network by its key."""
        found = self.networks.find(key)
        assert found is not None, key
        return found

    def item(self, key: str) -> GalleryItem:
        """The tile of a network."""
        return self.library.model.items[self._row(key)]

    def _row(self, key: str) -> int:
        row = self.library.model.row_of(f"network {key}")
        assert row >= 0, key
        return row

    @property
    def titles(self) -> list[str]:
        """The titles of the networks shown, in their order."""
        return [item.title for item in self.library.model.items if item.kind == "network"]

    def spoken(self, key: str) -> str:
        """What a screen reader says of a tile."""
        index = self.library.model.index(self._row(key))
        return self.library.model.data(index, Qt.ItemDataRole.AccessibleTextRole)

    def tip(self, key: str) -> str:
        """The tool tip of a tile."""
        return self.library.model.data(self.library.model.index(self._row(key)), Qt.ItemDataRole.ToolTipRole)

    def press(self, key: str) -> None:
        """Click the button of a tile."""
        self._click(key, "plus")

    def press_second(self, key: str) -> None:
        """Click the star of a tile, or the cross in its place."""
        self._click(key, "star")

    def _click(self, key: str, part: str) -> None:
        index, view = self.library.model.index(self._row(key)), self.library.view
        view.scrollTo(index)
        at: QPoint = getattr(view.tile(index), part).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)

    def menu(self, key: str) -> QMenu:
        """The menu of a tile."""
        return self.library.make_menu(self.item(key))

    def menu_texts(self, key: str) -> list[str]:
        """The entries of the menu of a tile, without those about favorites."""
        menu = self.menu(key)
        found = [action.text() for action in menu.actions() if "favorites" not in action.text()]
        menu.deleteLater()
        return found

    def choose(self, key: str, text: str) -> None:
        """Choose an entry of the menu of a tile."""
        menu = self.menu(key)
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.deleteLater()
