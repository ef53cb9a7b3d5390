"""Library: a gallery of looks, effects and networks, with a search over titles, tags and help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QMenu, QTabBar, QWidget

from desktop.base.wording import sentence
from desktop.ui.features.clean_output.clean_output import CleanOutput
from desktop.ui.features.library.gallery_model import GalleryModel
from desktop.ui.features.library.gallery_view import GalleryView
from desktop.ui.features.library.hover_trial import HoverTrial, TriedItem
from desktop.ui.features.library.items import (
    FAVORITES,
    GalleryItem,
    InUse,
    ItemKind,
    effects,
    group_title,
    groups_of,
    matching_items,
    networks,
    presets,
)
from desktop.ui.features.library.live_previews import LivePreviews
from desktop.ui.features.library.own_looks import OwnLooks
from desktop.ui.features.library.presets import Presets
from desktop.ui.features.networks.network_list import Command, NetworkList
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, IconLabel, SearchEdit, Themed, column, muted
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Workspace

_TABS: Final = ("looks", "effects", "networks")
# In the menu of the page of networks.
_NETWORK_ACTIONS: Final = ("open_model", "open_pipeline", "open_remote", "network_settings")


class LibraryPanel(QWidget):
    """The library panel; its `header` has the row of its pages, in place of a title."""

    def __init__(
        self,
        workspace: Workspace,
        themed: Themed,
        actions: Mapping[str, QAction],
        parent: QWidget | None = None,
    ) -> None:
        """Build the panel; the menu of the page of networks has some of `actions`."""
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._settings = workspace, workspace.settings
        self._presets, self._networks = workspace.get(Presets), workspace.get(NetworkList)
        self._recent: dict[str, list[str]] = {"effects": [], "looks": []}
        self._used = InUse()
        self._chosen_groups: dict[str, str] = {}
        self._own_looks = OwnLooks(workspace, self)
        layout = column(self, 0, 6)
        layout.setContentsMargins(0, 2, 0, 0)
        self.tabs = self._make_tabs()
        self.header = self._framed(self.tabs)
        self.search = self._make_search()
        layout.addLayout(self._line(self.search))
        self.groups = self._make_groups()
        self._network_actions = [actions[name] for name in _NETWORK_ACTIONS]
        self.more = IconButton(themed, "more", self.tr("Networks: more"))
        self.more.clicked.connect(
            lambda: self.make_network_menu().popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        layout.addLayout(self._line(self.groups, self.more))
        self.banner = muted(self.tr("Offline: nothing is downloaded."))
        self.banner.setContentsMargins(10, 0, 8, 0)
        layout.addWidget(self.banner)
        self._nothing, self._nothing_text = self._make_nothing(themed)
        layout.addWidget(self._nothing, 1)
        self.model = GalleryModel(self)
        self.view = self._make_view(themed)
        layout.addWidget(self.view, 1)
        self.trial = HoverTrial(
            workspace.engine,
            workspace.edits,
            workspace.playback.woken.emit,
            self._may_try,
            workspace.get(TriedItem),
            self,
        )
        self.view.pointed.connect(self.trial.point_at)
        self._follow()
        self.setMinimumWidth(220)

    # -- the parts -------------------------------------------------------------------------------------------

    @staticmethod
    def _line(*widgets: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        for place, widget in enumerate(widgets):
            row.addWidget(widget, 0 if place else 1)
        return row

    def _make_tabs(self) -> QTabBar:
        tabs = QTabBar()
        tabs.setExpanding(True)
        tabs.setDrawBase(False)
        # Arrows would hide the last title: the panel is as wide as its tabs at least.
        tabs.setUsesScrollButtons(False)
        tabs.setAccessibleName(self.tr("Pages of the library"))
        for title in (self.tr("Looks"), self.tr("Effects"), self.tr("Networks")):
            tabs.addTab(title)
        tabs.setCurrentIndex(_TABS.index(self._settings.library_tab))
        tabs.currentChanged.connect(self._switch_tab)
        return tabs

    @staticmethod
    def _framed(tabs: QTabBar) -> QWidget:
        box, frame = QWidget(), QFrame()
        box.setObjectName("panel")
        box.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        frame.setObjectName("segments")
        column(frame, 2, 0).addWidget(tabs)
        layout = column(box, 0, 0)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.addWidget(frame)
        return box

    def _make_search(self) -> SearchEdit:
        search = SearchEdit()
        search.setPlaceholderText(self.tr("Search the library"))
        search.setAccessibleName(self.tr("Search looks, effects and networks"))
        search.textChanged.connect(self.refresh)
        search.returnPressed.connect(self._add_first)
        return search

    def _make_groups(self) -> QComboBox:
        groups = ElidedComboBox()
        groups.setAccessibleName(self.tr("Group"))
        groups.currentIndexChanged.connect(lambda _: self._choose_group())
        return groups

    @staticmethod
    def _make_nothing(themed: Themed) -> tuple[QWidget, QLabel]:
        box, text = QWidget(), muted()
        layout = column(box, 16, 8)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)
        layout.addWidget(IconLabel(themed, "search", size=28), 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(text)
        layout.addStretch(2)
        return box, text

    def _make_view(self, themed: Themed) -> GalleryView:
        view = GalleryView(self.model, self._workspace.get(LivePreviews), themed)
        view.setAccessibleName(self.tr("Looks, effects and networks"))
        view.set_rows(self._settings.library_view == "rows")
        view.chosen.connect(self._choose)
        view.added.connect(self._press)
        view.starred.connect(self._press_second)
        view.removed.connect(self._remove)
        view.menu_requested.connect(self._menu)
        view.typed.connect(self._type)
        return view

    def _follow(self) -> None:
        workspace = self._workspace
        workspace.get(OwnShaders).filters_changed.connect(self._follow_filters)
        workspace.get(Opening).presets_changed.connect(self._follow_looks)
        self._presets.changed.connect(self.refresh)
        workspace.get(LivePreviews).warmed.connect(self._presets.read)
        workspace.get(Pictures).recording_changed.connect(self.trial.end)
        workspace.get(LiveOutputs).changed.connect(self.trial.end)
        workspace.get(CleanOutput).changed.connect(self.trial.end)
        self._networks.changed.connect(self._follow_networks)
        workspace.edits.setup_changed.connect(self._follow_chain)
        self._settings.follow(
            self.refresh,
            Settings.favorites,
            Settings.favorite_presets,
            Settings.favorite_networks,
            Settings.offline,
        )
        self._settings.follow(self._follow_view, Settings.library_view)
        self._settings.follow(self._follow_tab, Settings.library_tab)
        self._remember_recent()
        self._fill_groups()
        self._presets.refresh()

    # -- filling it ------------------------------------------------------------------------------------------

    @property
    def _tab(self) -> str:
        return _TABS[self.tabs.currentIndex()]

    def refresh(self) -> None:
        """Show the page's items, or what the search finds, best first."""
        text = self.search.text().strip()
        current, shows_networks = self.view.current, self._tab == "networks"
        if text or shows_networks:
            self._networks.read()
        items = self._items(text)
        self.groups.setVisible(self._tab != "looks" and not text)
        self.more.setVisible(shows_networks and not text)
        self.banner.setVisible(shows_networks and self._settings.offline)
        self._nothing_text.setText(self._empty_text(text))
        self._nothing.setVisible(not items)
        self.view.setVisible(bool(items))
        self.model.set_items(items)
        if text:
            # Enter in the search field uses it, so it is highlighted.
            self.view.select(0)
        elif current is not None and (row := self.model.row_of(current.key)) >= 0:
            self.view.select(row)

    def _items(self, text: str) -> Sequence[GalleryItem]:
        library, settings = self._workspace.library, self._settings
        listed, there, used = self._presets.listed, self._networks.listed, self._used
        starred: dict[ItemKind, list[str]] = {
            "effect": settings.favorites,
            "preset": settings.favorite_presets,
            "network": settings.favorite_networks,
        }
        if text:
            found = matching_items(text, library, listed, there, starred, used)
            # The networks first where they are searched, else last.
            first: ItemKind = "network" if self._tab == "networks" else "effect"
            return [item for kind in sorted(found, key=lambda kind: kind != first) for item in found[kind]]
        if self._tab == "looks":
            return presets(listed, library, starred["preset"], self._recent["looks"], used)
        group = self.groups.currentData() or ""
        if self._tab == "networks":
            return networks(there, group, starred["network"])
        return effects(library, group, starred["effect"], self._recent["effects"], used)

    def _empty_text(self, text: str) -> str:
        if text:
            return self.tr("Nothing is called “{0}”. Try another word.").format(text)
        if self._tab != "networks":
            return self.tr("No favorites yet. Click the star of an effect.")
        if self._networks.failure:
            return self._networks.failure
        if not self._networks.is_read:
            return self.tr("Looking...")
        if self.groups.currentData() == FAVORITES:
            return self.tr("No favorites yet. Click the star of a network.")
        return self.tr("No networks yet. Drop an .onnx or .tflite on the window, or open one.")

    def _remember_recent(self) -> None:
        # Only now and then: what is used would else move away under the pointer.
        self._recent = {"effects": self._settings.recent_filters, "looks": self._settings.recent_presets}

    def _fill_groups(self) -> None:
        blocker = QSignalBlocker(self.groups)
        self.groups.clear()
        if self._tab == "networks":
            groups = {
                "": self.tr("All networks"),
                FAVORITES: self.tr("Favorites"),
                "builtin": self.tr("Built-in"),
                "downloaded": self.tr("Downloaded"),
                "recent": self.tr("Recent"),
                "catalogue": self.tr("Available to download"),
            }
        else:
            groups = {"": self.tr("All effects"), FAVORITES: self.tr("Favorites")} | {
                name: group_title(name) for name in groups_of(self._workspace.library)
            }
        for name, title in groups.items():
            self.groups.addItem(title, name)
        self.groups.setCurrentIndex(max(0, self.groups.findData(self._chosen_groups.get(self._tab, ""))))
        blocker.unblock()

    def _choose_group(self) -> None:
        self._chosen_groups[self._tab] = self.groups.currentData() or ""
        self.refresh()

    def _follow_networks(self) -> None:
        if self._tab == "networks" or self.search.text().strip():
            self.refresh()

    def _follow_chain(self) -> None:
        """Mark what the chain has now."""
        edits = self._workspace.edits
        look = edits.history.look
        filters = frozenset(stage.filter for stage in edits.chain.stages)
        used = InUse(filters)
        if look is not None and filters:
            used = InUse(filters, translated(look.title), look.path)
        if used != self._used:
            self._used = used
            self.refresh()

    def _follow_looks(self) -> None:
        """List a look that was saved, with those used lately."""
        self._remember_recent()
        self._presets.refresh()
        self.refresh()

    def _follow_filters(self) -> None:
        self._fill_groups()
        self._workspace.get(LivePreviews).invalidate()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Find new presets, and move what was used lately to the front."""
        super().showEvent(event)
        self._remember_recent()
        self._presets.refresh()
        self.refresh()

    # -- pages and views -------------------------------------------------------------------------------------

    def show_page(self, name: str) -> None:
        """Show 'looks', 'effects' or 'networks'."""
        self.tabs.setCurrentIndex(_TABS.index(name))

    def _switch_tab(self) -> None:
        self._settings.library_tab = self._tab
        self._remember_recent()
        self._fill_groups()
        self.view.verticalScrollBar().setValue(0)
        self.refresh()

    def _follow_tab(self) -> None:
        self.tabs.setCurrentIndex(_TABS.index(self._settings.library_tab))

    def _follow_view(self) -> None:
        self.view.set_rows(self._settings.library_view == "rows")

    # -- choosing --------------------------------------------------------------------------------------------

    def _may_try(self) -> bool:
        workspace = self._workspace
        leaves = (
            workspace.get(Pictures).recording is not None
            or workspace.get(LiveOutputs).is_any_on
            or workspace.get(CleanOutput).is_open
        )
        return workspace.playback.has_picture and not leaves

    def _use(self, item: GalleryItem) -> int | None:
        """Add an effect and return its stage's id, load a preset, or do what a network's button does."""
        self.trial.end()
        if item.network is not None:
            self._networks.do(item.name, item.network.main_command)
            return None
        if item.kind == "preset":
            assert item.path is not None
            self._settings.add_recent_preset(item.name)
            self._workspace.get(Opening).load_preset(item.path)
            return None
        self._settings.add_recent_filter(item.name)
        return self._workspace.edits.add_filter(item.name)

    def _press(self, item: GalleryItem) -> None:
        self._use(item)

    def _press_second(self, item: GalleryItem) -> None:
        if item.is_cancelable:
            self._remove(item)
        else:
            self._toggle_star(item)

    def _remove(self, item: GalleryItem) -> None:
        """Remove a network from the disk or from the list, or a look of the user; other items stay."""
        if item.is_own:
            self._own_looks.confirm_deletion(item)
        if item.network is not None and item.network.removal is not None:
            self._networks.do(item.name, item.network.removal)

    def _choose(self, item: GalleryItem) -> None:
        if item.network is not None:
            self._networks.do(item.name, item.network.enter_command)
            return
        stage_id = self._use(item)
        if stage_id is not None:
            self._workspace.edits.stage_chosen.emit(stage_id)

    def _add_first(self) -> None:
        item = self.view.current
        if item is None or not self.search.text().strip():
            return
        if item.network is None or not item.is_used:
            self._use(item)
        # The focus stays here: the next word that is typed would else be a row of single-key commands.
        self.search.selectAll()

    def _type(self, text: str) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.setText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down in the search choose among what was found."""
        step = {int(Qt.Key.Key_Down): 1, int(Qt.Key.Key_Up): -1}.get(event.key())
        if step is None or not self.search.hasFocus():
            super().keyPressEvent(event)
        elif self.search.text().strip():
            self.view.select(self.view.currentIndex().row() + step)
        else:
            self.view.setFocus(Qt.FocusReason.TabFocusReason)

    # -- the menu and favorites ------------------------------------------------------------------------------

    def make_network_menu(self) -> QMenu:
        """Return the menu of the page of networks; it deletes itself when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._network_actions)
        return menu

    def make_menu(self, item: GalleryItem) -> QMenu:
        """Return the menu of an item; it deletes itself when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if item.network is not None:
            for command in self._networks.commands(item.name):
                action = menu.addAction(self._command_text(command, item))
                action.triggered.connect(partial(self._networks.do, item.name, command))
        else:
            use = self.tr("Add to the chain") if item.kind == "effect" else self.tr("Use")
            menu.addAction(use).triggered.connect(partial(self._choose, item))
        star = self.tr("Remove from favorites") if item.is_favorite else self.tr("Add to favorites")
        menu.addAction(star).triggered.connect(partial(self._toggle_star, item))
        if item.is_own and item.path is not None:
            menu.addSeparator()
            menu.addAction(self.tr("Rename...")).triggered.connect(partial(self._own_looks.enter_name, item))
            show = menu.addAction(self.tr("Open the folder"))
            show.triggered.connect(partial(self._own_looks.show_in_folder, item.path))
            delete = menu.addAction(self.tr("Delete..."))
            delete.triggered.connect(partial(self._own_looks.confirm_deletion, item))
        return menu

    def _command_text(self, command: Command, item: GalleryItem) -> str:
        assert item.network is not None
        resumes = item.network.item.state == "partial"
        return {
            "use": self.tr("Use"),
            "add": self.tr("Add as another effect"),
            "settings": self.tr("Settings"),
            "stop": self.tr("Remove from the chain"),
            "download": self.tr("Resume the download") if resumes else self.tr("Download"),
            "pause": self.tr("Pause the download"),
            "cancel": self.tr("Cancel the download"),
            "discard": self.tr("Delete what has arrived"),
            "input": self.tr("Preprocessing..."),
            "verify": self.tr("Verify the checksum"),
            "folder": self.tr("Open the folder"),
            "source": self.tr("Open its web page"),
            "copy": self.tr("Copy the path") if item.path is not None else self.tr("Copy the address"),
            "unlist": self.tr("Remove from the list"),
            "remove": self.tr("Delete the download..."),
        }[command]

    def _menu(self, item: GalleryItem, at: QPoint) -> None:
        self.make_menu(item).popup(at)

    def _toggle_star(self, item: GalleryItem) -> None:
        match item.kind:
            case "effect":
                self.toggle_favorite(item.name)
            case "preset":
                self._settings.favorite_presets = _toggled(self._settings.favorite_presets, item.name)
            case "network":
                self._settings.favorite_networks = _toggled(self._settings.favorite_networks, item.name)

    def toggle_favorite(self, filter_id: str) -> None:
        """Make a filter a favorite, or not."""
        self._settings.favorites = _toggled(self._settings.favorites, filter_id)

    def toggle_current_favorite(self) -> None:
        """Make the selected item a favorite, or not."""
        if self.view.current is not None:
            self._toggle_star(self.view.current)


def _toggled(names: Sequence[str], name: str) -> list[str]:
    return [n for n in names if n != name] if name in names else [*names, name]


PANEL: Final = PanelSpec(
    "library",
    sentence("Library"),
    place="left",
    order=1,
    size=(250, 470),
    make=lambda context: LibraryPanel(context.workspace, context.themed, context.actions),
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
            "pick_look",
            sentence("&Pick a look"),
            lambda w: _pick_look(w),
            menu="filters",
            group="library",
        ),
        Action(
            "networks",
            sentence("Net&works"),
            lambda w: _show_networks(w),
            menu="filters",
            group="networks",
            keys=("Ctrl+Shift+M",),
        ),
        Action(
            "favorite",
            sentence("Toggle fa&vorite"),
            lambda w: _panel_of(w).toggle_current_favorite(),
            menu="filters",
            group="library",
            keys=("Ctrl+D",),
        ),
        Action(
            "library_list",
            sentence("Show the library as a lis&t"),
            lambda w: _toggle_list(w),
            menu="filters",
            group="library",
            checked=lambda w: _shows_list(w),
        ),
    ),
)


def _pick_look(context: WindowContext) -> None:
    """Show the page of looks, on the sample where nothing plays."""
    if context.workspace.playback.source is None:
        context.workspace.get(Opening).open_sample()
    context.dock_area.show("library")
    panel = _panel_of(context)
    panel.search.clear()
    panel.show_page("looks")
    panel.view.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _show_networks(context: WindowContext) -> None:
    """Show the page of networks, with the focus in the search."""
    context.dock_area.search("library")
    _panel_of(context).show_page("networks")


def _panel_of(context: WindowContext) -> LibraryPanel:
    return context.dock_area.panel("library", LibraryPanel)


def _shows_list(context: WindowContext) -> bool:
    return context.workspace.settings.library_view == "rows"


def _toggle_list(context: WindowContext) -> None:
    context.workspace.settings.library_view = "tiles" if _shows_list(context) else "rows"
