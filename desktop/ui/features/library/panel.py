"""Library of filters, in groups with favorites first, and a search over titles, tags and help."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.wording import sentence
from desktop.pipeline.filters.description import Filter
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import icons
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import ChoiceTree, SearchEdit, Themed, column, muted
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Workspace

_ID: Final = Qt.ItemDataRole.UserRole
_KIND: Final = Qt.ItemDataRole.UserRole + 1
_GROUPS: Final = ("Color", "Tone", "Blur", "Detail", "Edges", "Stylize", "Geometry", "Light", "Key", "Time")


def matches(words: Iterable[str], item: Filter) -> bool:
    """True if every word is in the filter's title, id, group, tags or help."""
    return all(fit(word, item) is not None for word in words)


def fit(word: str, item: Filter) -> int | None:
    """Return how well a filter matches a casefolded word, lower is better; None if it does not.

    Title (0 to 3), tag or id (4, 5), group (6) and help (7) are searched, in the window's language and in
    English.
    """
    titles, groups, helps = (
        {said.casefold(), translated(said).casefold()} for said in (item.title, item.group, item.help)
    )
    tags = [tag.casefold() for tag in (item.id, *item.tags)]
    ranks = (
        word in titles,
        any(title.startswith(word) for title in titles),
        any(part.startswith(word) for title in titles for part in re.split(r"\W+", title)),
        any(word in title for title in titles),
        word in tags,
        any(word in tag for tag in tags),
        any(word in group for group in groups),
        any(word in text for text in helps),
    )
    return next((rank for rank, fits in enumerate(ranks) if fits), None)


def ranked(text: str, items: Iterable[Filter]) -> list[Filter]:
    """Return the filters that match a search, best first: the entire text, then its words."""
    whole = text.strip().casefold()

    def rank(item: Filter) -> tuple[int, int, str]:
        one = fit(whole, item)
        return (
            9 if one is None else one,
            sum(fit(word, item) or 0 for word in whole.split()),
            translated(item.title),
        )

    return sorted((item for item in items if matches(whole.split(), item)), key=rank)


class LibraryPanel(QWidget):
    """The library panel."""

    def __init__(self, workspace: Workspace, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._themed = workspace, themed
        self._collapsed: set[str] = set()
        layout = column(self, 0, 4)
        row = QHBoxLayout()
        row.setContentsMargins(8, 2, 8, 0)
        row.setSpacing(4)
        self.search = SearchEdit()
        self.search.setPlaceholderText(self.tr("Search filters"))
        self.search.setAccessibleName(self.tr("Search filters"))
        self.search.textChanged.connect(self.refresh)
        self.search.returnPressed.connect(self._add_first)
        row.addWidget(self.search, 1)
        layout.addLayout(row)
        self.tree = ChoiceTree()
        self.tree.setAccessibleName(self.tr("Filters"))
        self.tree.chosen.connect(self._choose)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.itemCollapsed.connect(lambda item: self._collapsed.add(item.text(0)))
        self.tree.itemExpanded.connect(lambda item: self._collapsed.discard(item.text(0)))
        self._nothing = muted()
        self._nothing.setContentsMargins(12, 4, 8, 0)
        layout.addWidget(self._nothing)
        layout.addWidget(self.tree, 1)
        workspace.get(OwnShaders).filters_changed.connect(self.refresh)
        workspace.settings.follow(self.refresh, Settings.favorites)
        themed.follow(self.refresh)
        self.setMinimumWidth(220)

    # -- filling it ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Fill the tree: with all filters in their groups, or with what the search finds, best first."""
        text = self.search.text().strip()
        found = ranked(text, self._workspace.library.filters.values())
        favorites = set(self._workspace.settings.favorites)
        self._nothing.setText(self.tr("No filter is called “{0}”. Try another word.").format(text))
        self._nothing.setVisible(not found)
        self.tree.clear()
        if text:
            for item in found:
                self._row(item, favorites, self.tree)
            # Enter in the search field adds it, so it is highlighted.
            self._select(0)
            return
        if favorites:
            self._group(self.tr("Favorites"), [f for f in found if f.id in favorites], favorites)
        groups: dict[str, list[Filter]] = {}
        for item in found:
            groups.setdefault(item.group, []).append(item)
        order = {name: i for i, name in enumerate(_GROUPS)}
        for name in sorted(groups, key=lambda g: (g != "Mine", order.get(g, 99), g)):
            self._group(self._group_title(name), groups[name], favorites)

    def _group_title(self, name: str) -> str:
        """Return the displayed name of a filter group; a user-defined group keeps its name."""
        return {
            "Mine": self.tr("Mine"),
            "Color": self.tr("Color"),
            "Tone": self.tr("Tone"),
            "Blur": self.tr("Blur"),
            "Detail": self.tr("Detail"),
            "Edges": self.tr("Edges"),
            "Stylize": self.tr("Stylize"),
            "Geometry": self.tr("Geometry"),
            "Lens": self.tr("Lens"),
            "Light": self.tr("Light"),
            "Networks": self.tr("Networks"),
            "Key": self.tr("Key"),
            "Time": self.tr("Time"),
        }.get(name, translated(name))

    def _section(self, title: str) -> QTreeWidgetItem:
        parent = QTreeWidgetItem([title])
        parent.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        font = parent.font(0)
        font.setBold(True)
        parent.setFont(0, font)
        self.tree.addTopLevelItem(parent)
        return parent

    def _group(self, title: str, items: list[Filter], favorites: set[str]) -> None:
        if not items:
            return
        parent = self._section(title)
        for item in sorted(items, key=lambda f: translated(f.title).casefold()):
            self._row(item, favorites, parent)
        parent.setExpanded(title not in self._collapsed)

    def _row(self, item: Filter, favorites: set[str], parent: QTreeWidget | QTreeWidgetItem) -> None:
        row = QTreeWidgetItem(parent, [translated(item.title)])
        row.setData(0, _ID, item.id)
        row.setData(0, _KIND, "filter")
        row.setToolTip(0, translated(item.help))
        if item.id in favorites:
            row.setIcon(0, icons.icon("star_filled", self._themed.theme.accent))

    # -- choosing --------------------------------------------------------------------------------------------

    def _choose(self, item: QTreeWidgetItem) -> None:
        kind, name = item.data(0, _KIND), item.data(0, _ID)
        if kind == "filter":
            stage_id = self._workspace.edits.add_filter(name)
            if stage_id is not None:
                self._workspace.edits.stage_chosen.emit(stage_id)

    def _add_first(self) -> None:
        item = self.tree.currentItem()
        if item is None or not self.search.text().strip():
            return
        self._workspace.edits.add_filter(item.data(0, _ID))
        # The focus stays here: the next word that is typed would else be a row of single-key commands.
        self.search.selectAll()

    def _select(self, row: int) -> None:
        item = self.tree.topLevelItem(max(0, min(row, self.tree.topLevelItemCount() - 1)))
        if item is not None:
            self.tree.setCurrentItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down in the search choose among what was found."""
        step = {int(Qt.Key.Key_Down): 1, int(Qt.Key.Key_Up): -1}.get(event.key())
        if step is None or not self.search.hasFocus():
            super().keyPressEvent(event)
        elif self.search.text().strip():
            item = self.tree.currentItem()
            self._select((self.tree.indexOfTopLevelItem(item) if item is not None else 0) + step)
        else:
            self.tree.setFocus(Qt.FocusReason.TabFocusReason)

    def _menu(self, at: QPoint) -> None:
        item = self.tree.itemAt(at)
        if item is None or item.data(0, _KIND) != "filter":
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Add to the chain")).triggered.connect(lambda: self._choose(item))
        name = item.data(0, _ID)
        starred = name in self._workspace.settings.favorites
        text = self.tr("Remove from favorites") if starred else self.tr("Add to favorites")
        menu.addAction(text).triggered.connect(lambda: self.toggle_favorite(name))
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def toggle_favorite(self, filter_id: str) -> None:
        """Make a filter a favorite, or not."""
        favorites = self._workspace.settings.favorites
        if filter_id in favorites:
            favorites.remove(filter_id)
        else:
            favorites.append(filter_id)
        self._workspace.settings.favorites = favorites

    def current_filter(self) -> str | None:
        """Return the id of the filter that is selected."""
        item = self.tree.currentItem()
        return item.data(0, _ID) if item is not None and item.data(0, _KIND) == "filter" else None


def _toggle_favorite(context: WindowContext) -> None:
    library = context.dock_area.panel("library", LibraryPanel)
    name = library.current_filter()
    if name is not None:
        library.toggle_favorite(name)


PANEL: Final = PanelSpec(
    "library",
    sentence("Library"),
    place="left",
    order=1,
    size=(250, 470),
    tab=sentence("Filters"),
    make=lambda context: LibraryPanel(context.workspace, context.themed),
    actions=(
        Action(
            "search",
            sentence("&Search the library"),
            lambda w: w.dock_area.search("library"),
            menu="filters",
            group="library",
            keys=("Ctrl+F", "/"),
        ),
        Action(
            "favorite",
            sentence("Toggle fa&vorite"),
            _toggle_favorite,
            menu="filters",
            group="library",
            keys=("Ctrl+D",),
        ),
    ),
)
