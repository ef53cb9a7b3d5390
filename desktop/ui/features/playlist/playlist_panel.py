"""Panel of the playlist: its actions, and the strip of thumbnails."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.playlist.playlist_strip import PlaylistStrip
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.widgets import IconButton, WheelGuard, column, muted
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.outputs import completed
from desktop.ui.workspace.panel import PanelContext

# Below this width the text beside the controls would be cut off; the header also shows it.
_WIDE: Final = 480
_LOOP_ICONS: Final = {"none": "loop", "all": "loop", "one": "loop_one"}


class PlaylistPanel(QWidget):
    """The playlist."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._themed = context.workspace, context.themed
        self.player = context.workspace.get(PlaylistPlayer)
        self.strip = PlaylistStrip(self.player, context.themed)
        self.strip.chosen.connect(self.player.choose)
        self.strip.entries.dropped.connect(self._workspace.get(Opening).add)
        self._shown: int | None = None
        layout = column(self, 6, 4)
        layout.addLayout(self._row(context))
        empty = muted(
            self.tr(
                "Drop several files on the window, or add them with +: they play one after the other. A "
                "folder of images is one entry."
            )
        )
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(empty)
        self._pages.addWidget(self.strip)
        layout.addWidget(self._pages, 1)
        self.setMinimumHeight(self.strip.cell.height() + 72)
        self.setMinimumWidth(300)
        self.player.changed.connect(self.refresh)
        self._workspace.edits.setup_changed.connect(self._follow_redaction)
        self._follow_redaction()
        self.refresh()

    def _row(self, context: PanelContext) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        actions = context.actions
        self.previous = self._button("previous", actions["previous_entry"])
        self.next = self._button("next", actions["next_entry"])
        self.shuffle = self._button("shuffle", actions["shuffle"])
        self.loop = self._button("loop", actions["loop_list"])
        self.add = IconButton(self._themed, "plus", self.tr("Add files to the playlist..."))
        self.add.clicked.connect(self.choose_files)
        self.take_out = IconButton(self._themed, "trash", self.tr("Take out what is selected (Delete)"))
        self.take_out.clicked.connect(self.strip.remove_selected)
        for button in (self.previous, self.next, self.shuffle, self.loop, self.add, self.take_out):
            row.addWidget(button)
        row.addWidget(self._more(actions["save_list"], actions["clear_list"], actions["undo_list"]))
        self.count = QLabel()
        self.count.setObjectName("muted")
        self.count.setAccessibleName(self.tr("Place in the playlist"))
        row.addSpacing(8)
        row.addWidget(self.count)
        row.addStretch(1)
        self._stay = muted(self.tr("Images stay"), wrap=False)
        row.addWidget(self._stay)
        row.addSpacing(4)
        row.addWidget(self._seconds())
        return row

    def _button(self, icon: str, action: QAction) -> IconButton:
        button = IconButton(self._themed, icon, with_key(action), checkable=action.isCheckable())
        if action.isCheckable():
            button.setChecked(action.isChecked())
            action.toggled.connect(button.setChecked)
        button.setEnabled(action.isEnabled())
        action.enabledChanged.connect(button.setEnabled)
        button.clicked.connect(action.trigger)
        # A checkable button has already toggled itself; the action's state is authoritative.
        button.clicked.connect(lambda: button.setChecked(action.isChecked()))
        return button

    def _more(self, *actions: QAction) -> QToolButton:
        more = IconButton(self._themed, "more", self.tr("More of the playlist"))
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        menu.addAction(self.tr("Open a playlist...")).triggered.connect(lambda: self.choose_list())
        menu.addActions(actions)
        more.setMenu(menu)
        return more

    def _seconds(self) -> NumberBox:
        self.seconds = NumberBox()
        self.seconds.setRange(0.5, 3600.0)
        self.seconds.setDecimals(1)
        self.seconds.setSuffix(" s")
        self.seconds.setValue(self._workspace.settings.picture_seconds)
        self.seconds.setAccessibleName(self.tr("How long an image of the playlist is shown"))
        self.seconds.setToolTip(
            self.tr("How long an image of the playlist is shown; applies from the next one that is opened")
        )
        self._guard = WheelGuard(self)
        self._guard.watch(self.seconds)
        self.seconds.valueChanged.connect(self._store_seconds)
        settings = self._workspace.settings
        self._end_following = settings.follow(self._show_seconds, Settings.picture_seconds)
        return self.seconds

    def _show_seconds(self) -> None:
        with QSignalBlocker(self.seconds):
            self.seconds.setValue(self._workspace.settings.picture_seconds)

    def _store_seconds(self, seconds: float) -> None:
        self._workspace.settings.picture_seconds = seconds

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for words in (self._stay, self.count):
            words.setVisible(self.width() >= _WIDE)

    def _follow_redaction(self) -> None:
        self.strip.shows_pictures = self._workspace.edits.setup.anonymize is None

    # -- following it ----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the list as it is."""
        entries = self.player.list.entries
        self.strip.refresh()
        self._pages.setCurrentIndex(1 if entries else 0)
        self.take_out.setEnabled(bool(entries))
        self.loop.set_icon(_LOOP_ICONS[self.player.list.loop])
        place = self.player.place
        self.count.setText(
            self.tr("{0} of {1}").format(*place)
            if place is not None
            else self.tr("%n entries", "", len(entries))
            if entries
            else ""
        )
        if self.player.shown != self._shown:
            self._shown = self.player.shown
            self.strip.reveal(self._shown)

    # -- files -----------------------------------------------------------------------------------------------

    def choose_files(self) -> None:
        """Let the user choose files that are added."""
        settings = self._workspace.settings
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Add to the playlist"), settings.folder)
        if paths:
            settings.folder = str(Path(paths[0]).parent)
            self._workspace.get(Opening).add(paths)

    def choose_list(self) -> None:
        """Let the user choose a list that replaces this one."""
        settings = self._workspace.settings
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Open a playlist"), settings.folder, self.tr("Playlists (*.m3u8 *.m3u)")
        )
        if path:
            settings.folder = str(Path(path).parent)
            self._workspace.get(Opening).drop([path])

    def choose_save_name(self) -> None:
        """Let the user choose where the list is written."""
        settings = self._workspace.settings
        path, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Save the playlist"),
            str(Path(settings.folder, "playlist.m3u8")),
            self.tr("Playlists (*.m3u8 *.m3u)"),
        )
        target = completed(path, (".m3u8", ".m3u"), self.window())
        if target is not None:
            self.player.save(target)

    def shutdown(self) -> None:
        """Stop making thumbnails, as the window closes."""
        self._end_following()
        self.strip.shutdown()
