"""The panel of sources that play next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.base.wording import sentence
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext

if TYPE_CHECKING:
    from desktop.ui.features.playlist.playlist_panel import PlaylistPanel


def _make(context: PanelContext) -> PlaylistPanel:
    from desktop.ui.features.playlist.playlist_panel import PlaylistPanel

    return PlaylistPanel(context)


def _step(context: WindowContext, direction: int) -> None:
    playlist = context.workspace.get(PlaylistPlayer)
    if playlist.step(direction):
        entry = playlist.list.entry(playlist.list.current)
        if entry is not None:
            context.show_message(entry.title)
        return
    translate = QCoreApplication.translate
    end = translate("Playlist", "The playlist ends here")
    context.show_message(end if direction > 0 else translate("Playlist", "The playlist begins here"))


def _shuffle(context: WindowContext) -> None:
    playlist = context.workspace.get(PlaylistPlayer)
    playlist.toggle_shuffle()
    translate = QCoreApplication.translate
    on = playlist.list.seed is not None
    context.show_message(translate("Playlist", "Shuffled") if on else translate("Playlist", "In order"))


def _loop(context: WindowContext) -> None:
    translate = QCoreApplication.translate
    texts = {
        "none": translate("Playlist", "No loop"),
        "all": translate("Playlist", "Loop over the playlist"),
        "one": translate("Playlist", "Loop over each entry"),
    }
    context.show_message(texts[context.workspace.get(PlaylistPlayer).next_loop()])


def _choose_file(context: WindowContext) -> None:
    from desktop.ui.features.playlist.playlist_panel import PlaylistPanel

    context.dock_area.panel("playlist", PlaylistPanel).choose_save_name()


_in_list = partial(Action, menu="playback/list")
_entry = partial(_in_list, enabled=lambda w: bool(w.workspace.get(PlaylistPlayer).list.entries))
_go = partial(_entry, group="go")
_list_entry = partial(_entry, group="list")

PANEL: Final = PanelSpec(
    "playlist",
    sentence("Playlist"),
    tab=sentence("List"),
    place="bottom",
    order=7,
    size=(0, 190),
    shown=False,
    closed_by=sentence("Hide the playlist"),
    late=True,
    modules=("desktop.ui.features.playlist.playlist_panel",),
    make=_make,
    actions=(
        panel_toggle("playlist", sentence("&Playlist"), order=4, key="Ctrl+J"),
        _go("next_entry", sentence("N&ext in the playlist"), lambda w: _step(w, 1), keys=("PgDown",)),
        _go("previous_entry", sentence("Previous in the playlist"), lambda w: _step(w, -1), keys=("PgUp",)),
        _in_list(
            "shuffle",
            sentence("S&huffle the playlist"),
            _shuffle,
            group="order",
            keys=("Ctrl+Shift+H",),
            checked=lambda w: w.workspace.get(PlaylistPlayer).list.seed is not None,
        ),
        _in_list(
            "loop_list",
            sentence("L&oop the playlist: not, over all, over each"),
            _loop,
            group="order",
            keys=("Ctrl+Alt+L",),
            checked=lambda w: w.workspace.get(PlaylistPlayer).list.loop != "none",
        ),
        _list_entry("save_list", sentence("Save the playlist..."), _choose_file),
        _list_entry(
            "clear_list", sentence("Clear the playlist"), lambda w: w.workspace.get(PlaylistPlayer).clear()
        ),
        _in_list(
            "undo_list",
            sentence("Bring back the playlist before"),
            lambda w: w.workspace.get(PlaylistPlayer).undo(),
            group="list",
            enabled=lambda w: w.workspace.get(PlaylistPlayer).can_undo,
        ),
    ),
)


FEATURE: Final = Feature(panels=(PANEL,))
