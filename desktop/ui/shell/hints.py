"""One-time hints for a new user: how to start, and where the playlist is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction

from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.kit.messages import NoticeButton
from desktop.ui.workspace.keys import native_text
from desktop.ui.workspace.window_context import Docks
from desktop.ui.workspace.workspace import Workspace

_BEGIN: Final = "how to begin"
_PLAYLIST: Final = "where the playlist is"


class Hints(QObject):
    """Shows each hint once, in a notice that disappears by itself."""

    def __init__(
        self, workspace: Workspace, actions: Mapping[str, QAction], docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._messages, self._settings = workspace.messages, workspace.settings
        self._playback, self._edits = workspace.playback, workspace.edits
        self._actions, self._docks = actions, docks
        workspace.get(PlaylistPlayer).filled.connect(self._show_playlist_hint)
        docks.docks["playlist"].visibilityChanged.connect(self._on_playlist)

    def show_first_hint(self) -> None:
        """Show how to start, until the user has: with a source, a look or another change."""
        if self._settings.hinted:
            return
        self._settings.hinted = True
        buttons = (
            NoticeButton(self.tr("Open..."), self._actions["open"].trigger),
            NoticeButton(self.tr("Pick a look"), self._actions["pick_look"].trigger),
            NoticeButton(self.tr("Compare"), self._actions["compare"].trigger),
        )
        text = self.tr("Drop your own video, pick a look, or drag the line to compare.")
        self._messages.post("hint", text, about=_BEGIN, buttons=buttons)
        once = Qt.ConnectionType.SingleShotConnection
        self._playback.opened.connect(lambda _: self._messages.settled.emit(_BEGIN), once)
        self._edits.setup_changed.connect(lambda: self._messages.settled.emit(_BEGIN), once)

    def _key(self, action: str) -> str:
        return native_text(self._actions[action].shortcut())

    def _show_playlist_hint(self) -> None:
        """Show the hint instead of opening the panel, which would take a third of a small window."""
        if self._settings.playlist_hinted or self._docks.is_shown("playlist"):
            return
        self._settings.playlist_hinted = True
        text = self.tr(
            "Several files play one after the other, as a playlist. {list} shows it, {next} goes on to the "
            "next."
        )
        show = NoticeButton(self.tr("Show the playlist"), self._actions["playlist"].trigger)
        self._messages.post(
            "info",
            text.format(list=self._key("playlist"), next=self._key("next_entry")),
            about=_PLAYLIST,
            buttons=(show,),
        )

    def _on_playlist(self, shown: bool) -> None:
        if shown:
            self._messages.settled.emit(_PLAYLIST)
