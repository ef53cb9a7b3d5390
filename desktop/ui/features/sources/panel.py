"""Panel of sources: the current one and its state, the sample, cameras, recent sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLabel,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.errors import CameraError
from desktop.base.wording import sentence
from desktop.media.sources.base import named
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.recents import ICON_SIZE, RecentSources
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import icons
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import ChoiceTree, ElidedLabel, IconButton, Themed, column
from desktop.ui.workspace.action import Action, with_key
from desktop.ui.workspace.by_adapter import sample_name
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    # Imports the modules that open cameras.
    from desktop.media.sources.camera import CameraInfo, CameraWatcher
    from desktop.net.onvif.discovery import NetworkCamera

_ADDRESS_WIDTH: Final = 480
_SPEC: Final = Qt.ItemDataRole.UserRole
_CAMERA: Final = Qt.ItemDataRole.UserRole + 1


class SourcesPanel(QWidget):
    """Lists sources and opens them."""

    cameras_found = Signal(object)

    def __init__(self, workspace: Workspace, themed: Themed, opening: QAction) -> None:
        """Make the panel; its first button triggers the action `opening` and shows its shortcut."""
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._themed = workspace, themed
        self._recents = workspace.get(RecentSources)
        self._watcher: CameraWatcher | None = None
        self._cameras: list[CameraInfo] = []
        self._is_watching = False
        self._network: tuple[NetworkCamera, ...] | None = None
        layout = column(self, 0, 4)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(8, 2, 8, 0)
        buttons.setSpacing(2)
        for name, text, slot in (
            (
                "file",
                with_key(opening, self.tr("Open a video or an image...")),
                self.choose_file,
            ),
            ("folder", self.tr("Open a folder of images..."), self.choose_folder),
            ("link", self.tr("Open a network stream..."), self.enter_address),
            ("camera", self.tr("Look for cameras"), self.watch_cameras),
            ("search", self.tr("Look for network cameras (ONVIF)"), self.search_network),
            ("screen", self.tr("Open the screen or a window..."), self.choose_screen),
        ):
            button = IconButton(themed, name, text)
            button.clicked.connect(slot)
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout.addLayout(buttons)
        # Two labels, so that a long name is elided but the state is not.
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 8, 0)
        row.setSpacing(8)
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.state = QLabel()
        self.state.setObjectName("muted")
        row.addWidget(self.title, 1)
        row.addWidget(self.state)
        self.detail = QLabel()
        self.detail.setObjectName("muted")
        self.detail.setWordWrap(True)
        self.detail.setContentsMargins(10, 0, 8, 2)
        layout.addLayout(row)
        layout.addWidget(self.detail)
        self.tree = ChoiceTree()
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(6)
        self.tree.setColumnCount(2)
        self.tree.setIconSize(ICON_SIZE)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(0)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.tree.setAccessibleName(self.tr("Sources"))
        self.tree.chosen.connect(self._choose)
        self.tree.viewport().installEventFilter(self)
        layout.addWidget(self.tree, 1)
        self.cameras_found.connect(self._show_cameras)
        workspace.playback.changed.connect(self.refresh)
        workspace.playback.opened.connect(lambda _: self.refresh())
        workspace.settings.follow(self._follow_recent, Settings.recent)
        self._recents.changed.connect(self.refresh)
        themed.follow(self.refresh)
        self.setMinimumWidth(220)

    # -- filling it ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the current state."""
        self._show_state()
        playing = self._workspace.playback.name
        # Kept for the arrow keys: this is called whenever a source begins, ends or breaks off.
        current, scrolled = self.tree.currentItem(), self.tree.verticalScrollBar().value()
        spec = current.data(0, _SPEC) if current is not None else None
        self.tree.clear()
        self._entry(self.tr("Sample"), sample_name(self._workspace.adapter), "sample", playing)
        missing = isinstance(getattr(self._workspace.playback.source, "error", None), CameraError)
        if self._is_watching and not self._cameras and not missing:
            self._note(self.tr("No camera is connected."))
        for camera in self._cameras:
            self._entry(camera.name, f"camera:{camera.id}", "camera", playing)
        self._list_network()
        recent = self._recents.entries()
        if recent:
            self._note(self.tr("Recent"))
        muted = self.palette().placeholderText()
        for entry in recent:
            item = self._entry(entry.title, entry.name, entry.kind, playing)
            theme = self._themed.theme
            item.setIcon(0, entry.icon(theme.accent if entry.name == playing else theme.muted))
            item.setText(1, entry.folder)
            item.setToolTip(1, entry.name)
            item.setForeground(1, muted)
            if entry.is_missing:
                item.setForeground(0, muted)
                item.setToolTip(0, self.tr("{0} was not found").format(entry.name))
        self._fit_folders()
        for row in range(self.tree.topLevelItemCount()):
            again = self.tree.topLevelItem(row)
            if again is not None and spec is not None and again.data(0, _SPEC) == spec:
                self.tree.setCurrentItem(again)
                break
        self.tree.verticalScrollBar().setValue(scrolled)

    def _list_network(self) -> None:
        if self._network is None:
            return
        self._note(self.tr("Network cameras") if self._network else self.tr("No network camera answers."))
        for camera in self._network:
            item = self._entry(camera.name, camera.address, "stream", "")
            item.setText(1, camera.host)
            item.setData(0, _CAMERA, camera)

    def _follow_recent(self) -> None:
        if self.isVisible():
            self._recents.check_files()
        self.refresh()

    def _fit_folders(self) -> None:
        """Give the folders the width that they need, but less than the names."""
        header = self.tree.header()
        header.resizeSection(1, min(self.tree.sizeHintForColumn(1), self.tree.viewport().width() * 2 // 5))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the columns when the list has another width."""
        if event.type() == QEvent.Type.Resize:
            self._fit_folders()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._recents.check_files()

    def _entry(self, title: str, spec: str, kind: str, playing: str) -> QTreeWidgetItem:
        theme = self._themed.theme
        item = QTreeWidgetItem([title, ""])
        item.setData(0, _SPEC, spec)
        item.setToolTip(0, spec)
        active = spec == playing
        item.setIcon(0, icons.icon(kind, theme.accent if active else theme.muted))
        if active:
            font = item.font(0)
            font.setBold(True)
            item.setFont(0, font)
        self.tree.addTopLevelItem(item)
        return item

    def _note(self, text: str) -> None:
        item = QTreeWidgetItem([text])
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.tree.addTopLevelItem(item)

    def _show_state(self) -> None:
        playback = self._workspace.playback
        info, source = playback.info, playback.source
        if source is None or info is None:
            self.title.setText(self.tr("Nothing is open"))
            self.state.setText("")
            self.detail.setText("")
            return
        self.title.setText(translated(named(info)))
        # A still image stays, so omit its source's state, 'live', which is about the next frame.
        still = info.kind == "image" and source.state == "live"
        self.state.setText(self.tr("image") if still else self._state_text(source.state))
        error = source.error if source.state in ("failed", "lost", "reconnecting") else None
        parts = []
        if info.size[0]:
            parts.append(f"{info.size[0]}×{info.size[1]}")
        if info.rate:
            shown = self.tr("{0} FPS (assumed)") if info.assumption else self.tr("{0} FPS")
            parts.append(shown.format(f"{info.rate:.4g}"))
        # The rest is a tool tip: a file has a dozen facts, and this is two lines.
        short = (info.detail.get(key, "") for key in ("codec", "pixel format", "mode", "decoder"))
        parts += [self._fact(text).partition(" (")[0].partition(" / ")[0] for text in short if text]
        facts = "\n".join(
            f"{self._fact(key)}: {self._fact(text)}" for key, text in info.detail.items() if text
        )
        self.detail.setToolTip("\n".join(filter(None, (translated(info.assumption), facts))))
        self.detail.setText(" · ".join(parts))
        # A notice already shows the sentence about it.
        self.state.setToolTip(translated(str(error)) if error else "")
        self.state.setObjectName("errorText" if error else "muted")
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)

    def _fact(self, word: str) -> str:
        """Return a source's property: words translated, figures and format names unchanged."""
        words = {
            "animation": self.tr("animation"),
            "camera": self.tr("camera"),
            "coded size": self.tr("coded size"),
            "codec": self.tr("codec"),
            "color": self.tr("color"),
            "color profile": self.tr("color profile"),
            "container": self.tr("container"),
            "damaged": self.tr("damaged"),
            "decoder": self.tr("decoder"),
            "format": self.tr("format"),
            "mode": self.tr("mode"),
            "name": self.tr("name"),
            "orientation": self.tr("orientation"),
            "pictures": self.tr("images"),
            "pixel aspect": self.tr("pixel aspect"),
            "pixel format": self.tr("pixel format"),
            "range": self.tr("range"),
            "rate": self.tr("rate"),
            "skipped": self.tr("skipped"),
            "software": self.tr("software"),
            "window": self.tr("window"),
        }
        return words.get(word, translated(word))

    def _state_text(self, state: str) -> str:
        source = self._workspace.playback.source
        if source is not None and isinstance(source.error, CameraError) and state == "failed":
            return {"busy": self.tr("busy"), "denied": self.tr("not allowed")}.get(source.error.state, state)
        texts = {
            "opening": self.tr("opening"),
            "asking": self.tr("asking for permission"),
            "live": self.tr("live"),
            "playing": self.tr("playing"),
            "paused": self.tr("paused"),
            "ended": self.tr("ended"),
            "reconnecting": self.tr("reconnecting"),
            "lost": self.tr("lost") if self._workspace.playback.has_picture else self.tr("not connected"),
        }
        return texts.get(state, state)

    # -- opening ---------------------------------------------------------------------------------------------

    def _choose(self, item: QTreeWidgetItem) -> None:
        camera = item.data(0, _CAMERA)
        spec = item.data(0, _SPEC)
        if camera is not None:
            self._log_in(camera)
        elif spec:
            self._workspace.get(Opening).open(spec)

    def choose_file(self) -> None:
        """Let the user choose files of any kind."""
        settings = self._workspace.settings
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Open"), settings.folder)
        if paths:
            settings.folder = str(Path(paths[0]).parent)
            self._workspace.get(Opening).drop(paths)

    def choose_folder(self) -> None:
        """Let the user choose a folder of images."""
        settings = self._workspace.settings
        path = QFileDialog.getExistingDirectory(self, self.tr("Open a folder of images"), settings.folder)
        if path:
            settings.folder = path
            self._workspace.get(Opening).drop([path])

    def enter_address(self) -> None:
        """Let the user enter an address."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Open a stream"))
        dialog.setLabelText(self.tr("Address (rtsp://, http://, udp://, ...)"))
        # Qt's width is that of the label: addresses are longer.
        dialog.resize(_ADDRESS_WIDTH, dialog.sizeHint().height())
        dialog.textValueSelected.connect(self._open_address)
        dialog.open()

    def _open_address(self, text: str) -> None:
        if text.strip():
            self._workspace.get(Opening).open(text.strip())

    def watch_cameras(self) -> None:
        """List cameras from now on; not earlier, because listing can trigger a permission prompt."""
        if self._watcher is not None:
            return
        self._is_watching = True

        def make() -> CameraWatcher:
            from desktop.media.sources.camera import CameraWatcher

            # The watcher calls back on its thread; the signal switches to this one.
            watcher = CameraWatcher(self.cameras_found.emit)
            watcher.start()
            return watcher

        def made(watcher: CameraWatcher) -> None:
            self._watcher = watcher

        self._workspace.jobs.run(make, made, lambda error: self._workspace.messages.post("error", str(error)))

    def _show_cameras(self, cameras: list[CameraInfo]) -> None:
        self._cameras = cameras
        self.refresh()

    def search_network(self) -> None:
        """List the ONVIF cameras that answer a probe; not earlier, because it is sent to all machines."""
        workspace = self._workspace
        workspace.messages.said.emit(self.tr("Looking for network cameras..."))

        def work() -> tuple[NetworkCamera, ...]:
            from desktop.net.onvif.discovery import search_cameras

            return search_cameras()

        workspace.jobs.run(
            work,
            self.show_network_cameras,
            lambda error: workspace.messages.post("error", str(error), about="network cameras"),
        )

    def show_network_cameras(self, cameras: tuple[NetworkCamera, ...]) -> None:
        """List these cameras; without one say what to check."""
        self._network = cameras
        if not cameras:
            text = self.tr(
                "No network camera answers. Check that ONVIF and discovery are on in its settings and that it "
                "is in this network, or enter the address of its stream."
            )
            self._workspace.messages.post("info", text, about="network cameras")
        self.refresh()

    def _log_in(self, camera: NetworkCamera) -> None:
        from desktop.ui.features.sources.camera_login import CameraLogin

        dialog = CameraLogin(camera, self._workspace.jobs, self)
        dialog.address_found.connect(self._workspace.get(Opening).open)
        dialog.open()

    def choose_screen(self) -> None:
        """Let the user choose a monitor, a region or a window."""
        from desktop.ui.features.sources.screen_dialog import ScreenDialog

        ScreenDialog(self, self._workspace.jobs, self._themed, self._workspace.get(Opening).open).open()

    def open_camera(self) -> None:
        """Open the first camera."""
        self.watch_cameras()
        self._workspace.get(Opening).open("camera")

    def shutdown(self) -> None:
        """Stop watching cameras."""
        if self._watcher is not None:
            self._watcher.close()
        self._watcher, self._is_watching, self._cameras = None, False, []


PANEL: Final = PanelSpec(
    "sources",
    sentence("Sources"),
    place="left",
    order=0,
    size=(0, 230),
    shown=False,
    closed_by=sentence("Hide the sources"),
    make=lambda context: SourcesPanel(context.workspace, context.themed, context.actions["open"]),
    actions=(
        Action(
            "show_sources",
            sentence("&Sources"),
            lambda w: w.dock_area.toggle("sources"),
            menu="view",
            group="panels",
            checked=lambda w: w.dock_area.is_shown("sources"),
        ),
    ),
)
