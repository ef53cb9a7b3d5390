"""The library of filters: all of them in groups, favourites first; with a search over titles, tags and help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.compute.filters import Filter
from desktop.ui import icons
from desktop.ui.controller import Controller
from desktop.ui.language import translated
from desktop.ui.widgets import Themed, column, let_clear, muted

_ID: Final = Qt.ItemDataRole.UserRole
_KIND: Final = Qt.ItemDataRole.UserRole + 1
_GROUPS: Final = ("Color", "Tone", "Blur", "Detail", "Edges", "Stylize", "Geometry", "Light", "Key", "Time")


def matches(words: Iterable[str], item: Filter) -> bool:
    """True if every word is in the filter's title, id, group, tags or help."""
    # In the window's language and in English, of which the tutorials are.
    said = (item.title, item.group, item.help)
    text = " ".join((*map(translated, said), *said, item.id, *item.tags)).casefold()
    return all(word in text for word in words)


class _Tree(QTreeWidget):
    """A tree whose entries are chosen by a double click or Enter."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setIconSize(QSize(14, 14))
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.itemDoubleClicked.connect(lambda item, _: self.chosen.emit(item))
        # The style sheet's height of a row is known only then, and the first filling fixes the height.
        self.ensurePolished()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses."""
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item is not None:
            self.chosen.emit(item)
            return
        super().keyPressEvent(event)


class LibraryPanel(QWidget):
    """The library. `added` tells the id of a stage that was added."""

    added = Signal(int)

    def __init__(self, controller: Controller, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._controller, self._themed = controller, themed
        self._collapsed: set[str] = set()
        layout = column(self, 0, 4)
        row = QHBoxLayout()
        row.setContentsMargins(8, 2, 8, 0)
        row.setSpacing(4)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search filters"))
        self.search.setAccessibleName(self.tr("Search filters"))
        let_clear(self.search)
        self.search.textChanged.connect(self.refresh)
        self.search.returnPressed.connect(self._add_first)
        row.addWidget(self.search, 1)
        layout.addLayout(row)
        self.tree = _Tree()
        self.tree.setAccessibleName(self.tr("Filters"))
        self.tree.chosen.connect(self._choose)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.itemCollapsed.connect(lambda item: self._collapsed.add(item.text(0)))
        self.tree.itemExpanded.connect(lambda item: self._collapsed.discard(item.text(0)))
        self._nothing = muted()
        self._nothing.setContentsMargins(12, 4, 8, 0)
        layout.addWidget(self._nothing)
        layout.addWidget(self.tree, 1)
        controller.filters_changed.connect(self.refresh)
        themed.follow(self.refresh)
        self.setMinimumWidth(220)

    # -- filling it --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Fill the tree with what the search finds."""
        words = self.search.text().casefold().split()
        found = [item for item in self._controller.library.filters.values() if matches(words, item)]
        favourites = set(self._controller.settings.favourites)
        self._nothing.setText(self.tr("No filter is called “{0}”.").format(self.search.text().strip()))
        self._nothing.setVisible(not found)
        self.tree.clear()
        if favourites:
            self._group(self.tr("Favourites"), [f for f in found if f.id in favourites], favourites)
        groups: dict[str, list[Filter]] = {}
        for item in found:
            groups.setdefault(item.group, []).append(item)
        order = {name: i for i, name in enumerate(_GROUPS)}
        for name in sorted(groups, key=lambda g: (g != "Mine", order.get(g, 99), g)):
            self._group(translated(name), groups[name], favourites)

    def _section(self, title: str) -> QTreeWidgetItem:
        parent = QTreeWidgetItem([title])
        parent.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        font = parent.font(0)
        font.setBold(True)
        parent.setFont(0, font)
        self.tree.addTopLevelItem(parent)
        return parent

    def _group(self, title: str, items: list[Filter], favourites: set[str]) -> None:
        if not items:
            return
        parent = self._section(title)
        theme = self._themed.theme
        for item in sorted(items, key=lambda f: translated(f.title).casefold()):
            row = QTreeWidgetItem(parent, [translated(item.title)])
            row.setData(0, _ID, item.id)
            row.setData(0, _KIND, "filter")
            row.setToolTip(0, translated(item.help))
            if item.id in favourites:
                row.setIcon(0, icons.icon("star_filled", theme.accent))
        parent.setExpanded(bool(self.search.text()) or title not in self._collapsed)

    # -- choosing ----------------------------------------------------------------------------------------------------

    def _choose(self, item: QTreeWidgetItem) -> None:
        kind, name = item.data(0, _KIND), item.data(0, _ID)
        if kind == "filter":
            stage_id = self._controller.add_filter(name)
            if stage_id is not None:
                self.added.emit(stage_id)

    def _add_first(self) -> None:
        groups = [self.tree.topLevelItem(index) for index in range(self.tree.topLevelItemCount())]
        rows = [
            group.child(row) for group in groups if group is not None for row in range(group.childCount())
        ]
        found = [row for row in rows if row is not None]
        words = self.search.text().strip().casefold()
        # Tilt-shift is found by "depth" too, and stands before Depth.
        found.sort(key=lambda item: item.text(0).casefold() != words)
        if found:
            self._choose(found[0])

    def _menu(self, at: QPoint) -> None:
        item = self.tree.itemAt(at)
        if item is None or item.data(0, _KIND) != "filter":
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Add to the chain")).triggered.connect(lambda: self._choose(item))
        name = item.data(0, _ID)
        starred = name in self._controller.settings.favourites
        text = self.tr("Remove from favourites") if starred else self.tr("Add to favourites")
        menu.addAction(text).triggered.connect(lambda: self.toggle_favourite(name))
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def toggle_favourite(self, filter_id: str) -> None:
        """Make a filter a favourite, or not."""
        favourites = self._controller.settings.favourites
        if filter_id in favourites:
            favourites.remove(filter_id)
        else:
            favourites.append(filter_id)
        self._controller.settings.favourites = favourites
        self.refresh()

    def current_filter(self) -> str | None:
        """Return the id of the filter that is selected."""
        item = self.tree.currentItem()
        return item.data(0, _ID) if item is not None and item.data(0, _KIND) == "filter" else None
