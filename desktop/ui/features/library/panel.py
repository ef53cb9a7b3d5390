"""Library: a gallery of looks and effects on the current frame, with a search over titles, tags and help."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QMenu, QTabBar, QWidget

from desktop.base.wording import sentence
from desktop.ui.features.clean_output.clean_output import CleanOutput
from desktop.ui.features.library.gallery_model import GalleryModel
from desktop.ui.features.library.gallery_view import GalleryView
from desktop.ui.features.library.hover_trial import HoverTrial
from desktop.ui.features.library.items import (
    FAVORITES,
    GalleryItem,
    ItemKind,
    effects,
    group_title,
    groups_of,
    matching_items,
    presets,
)
from desktop.ui.features.library.live_previews import LivePreviews
from desktop.ui.features.library.presets import Presets
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.widgets import IconButton, IconLabel, SearchEdit, Themed, column, muted
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Workspace

_TABS: Final = ("looks", "effects")


class LibraryPanel(QWidget):
    """The library panel."""

    def __init__(self, workspace: Workspace, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._settings = workspace, workspace.settings
        self._presets = workspace.get(Presets)
        self._recent: dict[str, list[str]] = {"effects": [], "looks": []}
        layout = column(self, 0, 6)
        layout.setContentsMargins(0, 6, 0, 0)
        self.tabs = self._make_tabs()
        layout.addWidget(self._framed(self.tabs))
        self.search, self.rows = self._make_search(), self._make_rows_button(themed)
        layout.addLayout(self._line(self.search, self.rows))
        self.groups = self._make_groups()
        layout.addLayout(self._line(self.groups))
        self._nothing, self._nothing_text = self._make_nothing(themed)
        layout.addWidget(self._nothing, 1)
        self.model = GalleryModel(self)
        self.view = self._make_view(themed)
        layout.addWidget(self.view, 1)
        self.trial = HoverTrial(
            workspace.engine, workspace.edits, workspace.playback.woken.emit, self._may_try, self
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
        tabs.setAccessibleName(self.tr("Looks or effects"))
        tabs.addTab(self.tr("Looks"))
        tabs.addTab(self.tr("Effects"))
        tabs.setCurrentIndex(_TABS.index(self._settings.library_tab))
        tabs.currentChanged.connect(self._switch_tab)
        return tabs

    @staticmethod
    def _framed(tabs: QTabBar) -> QWidget:
        box, frame = QWidget(), QFrame()
        frame.setObjectName("segments")
        column(frame, 2, 0).addWidget(tabs)
        column(box, 0, 0).addWidget(frame)
        box.setContentsMargins(8, 0, 8, 0)
        return box

    def _make_search(self) -> SearchEdit:
        search = SearchEdit()
        search.setPlaceholderText(self.tr("Search looks and effects"))
        search.setAccessibleName(self.tr("Search looks and effects"))
        search.textChanged.connect(self.refresh)
        search.returnPressed.connect(self._add_first)
        return search

    def _make_rows_button(self, themed: Themed) -> IconButton:
        button = IconButton(themed, "list", self.tr("Show as a list"), checkable=True)
        button.setChecked(self._settings.library_view == "rows")
        button.toggled.connect(self._store_view)
        return button

    def _make_groups(self) -> QComboBox:
        groups = QComboBox()
        groups.setAccessibleName(self.tr("Group"))
        groups.currentIndexChanged.connect(lambda _: self.refresh())
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
        view.setAccessibleName(self.tr("Looks and effects"))
        view.set_rows(self.rows.isChecked())
        view.chosen.connect(self._choose)
        view.added.connect(self._use)
        view.starred.connect(self._toggle_star)
        view.menu_requested.connect(self._menu)
        view.typed.connect(self._type)
        return view

    def _follow(self) -> None:
        workspace = self._workspace
        workspace.get(OwnShaders).filters_changed.connect(self._follow_filters)
        workspace.get(Opening).presets_changed.connect(self._presets.refresh)
        self._presets.changed.connect(self.refresh)
        workspace.get(LivePreviews).warmed.connect(self._presets.read)
        workspace.get(Pictures).recording_changed.connect(self.trial.end)
        workspace.get(LiveOutputs).changed.connect(self.trial.end)
        workspace.get(CleanOutput).changed.connect(self.trial.end)
        self._settings.follow(self.refresh, Settings.favorites, Settings.favorite_presets)
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
        current = self.view.current
        items = self._items(text)
        self.groups.setVisible(self._tab == "effects" and not text)
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
        starred: dict[ItemKind, list[str]] = {
            "effect": settings.favorites,
            "preset": settings.favorite_presets,
        }
        if text:
            return matching_items(text, library, self._presets.listed, starred)
        if self._tab == "looks":
            return presets(self._presets.listed, library, starred["preset"], self._recent["looks"])
        group = self.groups.currentData() or ""
        return effects(library, group, starred["effect"], self._recent["effects"])

    def _empty_text(self, text: str) -> str:
        if text:
            return self.tr("Nothing is called “{0}”. Try another word.").format(text)
        return self.tr("No favorites yet. Click the star of an effect.")

    def _remember_recent(self) -> None:
        # Only now and then: what is used would else move away under the pointer.
        self._recent = {"effects": self._settings.recent_filters, "looks": self._settings.recent_presets}

    def _fill_groups(self) -> None:
        chosen = self.groups.currentData()
        blocker = QSignalBlocker(self.groups)
        self.groups.clear()
        self.groups.addItem(self.tr("All effects"), "")
        self.groups.addItem(self.tr("Favorites"), FAVORITES)
        for name in groups_of(self._workspace.library):
            self.groups.addItem(group_title(name), name)
        self.groups.setCurrentIndex(max(0, self.groups.findData(chosen)))
        blocker.unblock()

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
        """Show 'looks' or 'effects'."""
        self.tabs.setCurrentIndex(_TABS.index(name))

    def _switch_tab(self) -> None:
        self._settings.library_tab = self._tab
        self._remember_recent()
        self.view.verticalScrollBar().setValue(0)
        self.refresh()

    def _follow_tab(self) -> None:
        self.tabs.setCurrentIndex(_TABS.index(self._settings.library_tab))

    def _store_view(self, rows: bool) -> None:
        self._settings.library_view = "rows" if rows else "tiles"

    def _follow_view(self) -> None:
        rows = self._settings.library_view == "rows"
        self.rows.setChecked(rows)
        self.view.set_rows(rows)

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
        """Add an effect and return its stage's id, or load a preset."""
        self.trial.end()
        if item.kind == "preset":
            assert item.path is not None
            self._settings.add_recent_preset(item.name)
            self._workspace.get(Opening).load_preset(item.path)
            return None
        self._settings.add_recent_filter(item.name)
        return self._workspace.edits.add_filter(item.name)

    def _choose(self, item: GalleryItem) -> None:
        stage_id = self._use(item)
        if stage_id is not None:
            self._workspace.edits.stage_chosen.emit(stage_id)

    def _add_first(self) -> None:
        item = self.view.current
        if item is None or not self.search.text().strip():
            return
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

    # -- favorites -------------------------------------------------------------------------------------------

    def _menu(self, item: GalleryItem, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        use = self.tr("Add to the chain") if item.kind == "effect" else self.tr("Use this look")
        menu.addAction(use).triggered.connect(partial(self._choose, item))
        star = self.tr("Remove from favorites") if item.is_favorite else self.tr("Add to favorites")
        menu.addAction(star).triggered.connect(partial(self._toggle_star, item))
        menu.popup(at)

    def _toggle_star(self, item: GalleryItem) -> None:
        if item.kind == "effect":
            self.toggle_favorite(item.name)
        else:
            self._settings.favorite_presets = _toggled(self._settings.favorite_presets, item.name)

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
    tab=sentence("Library"),
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
            lambda w: _panel_of(w).toggle_current_favorite(),
            menu="filters",
            group="library",
            keys=("Ctrl+D",),
        ),
    ),
)


def _panel_of(context: WindowContext) -> LibraryPanel:
    return context.dock_area.panel("library", LibraryPanel)
