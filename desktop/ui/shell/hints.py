"""One-time hints for a new user: how to start, and where the playlist is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.kit.messages import NoticeButton
from desktop.ui.workspace.keys import native_text
from desktop.ui.workspace.window_context import Docks
from desktop.ui.workspace.workspace import Workspace

_PLAYLIST: Final = "where the playlist is"


class Hints(QObject):
    """Shows each hint once, in a notice that disappears by itself."""

    def __init__(
        self, workspace: Workspace, actions: Mapping[str, QAction], docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._messages, self._settings = workspace.messages, workspace.settings
        self._actions, self._docks = actions, docks
        workspace.get(PlaylistPlayer).filled.connect(self._show_playlist_hint)
        docks.docks["playlist"].visibilityChanged.connect(self._on_playlist)

    def show_first_hint(self) -> None:
        """Show how to start."""
        if self._settings.hinted:
            return
        self._settings.hinted = True
        self._messages.post("info", self.tr("Drag the line to compare. Drop a video to begin."))

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
