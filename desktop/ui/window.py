"""The window: makes the parts, puts them together and connects them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QPushButton,
    QStackedWidget,
    QToolBar,
    QToolButton,
)

from desktop.base.wording import sentence
from desktop.media.sources.base import Source, SourceInfo, named
from desktop.pipeline.statistics import PipelineStats
from desktop.ui import icons
from desktop.ui import theme as themes
from desktop.ui.actions import find_actions, find_menus
from desktop.ui.by_adapter import sample_name
from desktop.ui.clean_output import CleanOutput
from desktop.ui.click_tool import ClickTool
from desktop.ui.closing import Closing
from desktop.ui.controller import Controller
from desktop.ui.docks import DockArea
from desktop.ui.driver_fault import tell_of_fault
from desktop.ui.drops import accept_copy
from desktop.ui.empty_state import EmptyState
from desktop.ui.full_screen import FullScreen
from desktop.ui.grid_view import GridView
from desktop.ui.hints import Hints
from desktop.ui.keys import KeyGuard
from desktop.ui.language import in_language, language_of, translated
from desktop.ui.last_session import LastSession
from desktop.ui.menus import Menus
from desktop.ui.messages import Notice, NoticeButton
from desktop.ui.notices import Floor, NoticeBar
from desktop.ui.overlay_presenter import TOAST_S, OverlayPresenter
from desktop.ui.panel import PanelContext
from desktop.ui.panels import panel_specs
from desktop.ui.panels.chain import ChainPanel
from desktop.ui.panels.library import LibraryPanel
from desktop.ui.panels.sources import SourcesPanel
from desktop.ui.panels.stats import StatsPanel
from desktop.ui.rates import DropRate
from desktop.ui.safety import start_again
from desktop.ui.settings import Settings
from desktop.ui.status_bar import StatusBar
from desktop.ui.transport import Transport
from desktop.ui.updates import Updates
from desktop.ui.viewport import Viewport
from desktop.ui.widgets import Themed, step_focus, tab_stops
from desktop.ui.window_dialogs import WindowDialogs
from desktop.ui.zone_tool import ZoneTool

if TYPE_CHECKING:
    from desktop.ui.panels.networks.models_panel import ModelsPanel

_FIGURES_MS: Final = 250
_SHADERS_MS: Final = 500
# Behind the first picture, also where none comes.
_WARN_MS: Final = 3000
_MINIMUM: Final = (720, 440)
_ADAPTER: Final = "the graphics adapter"
_FIRST_SIZE: Final = (1320, 820)
# Of the screen: a frame and a panel of the desktop need some of it.
_SHARE_OF_SCREEN: Final = 0.94
_PICTURE_MENU: Final = (
    ("play",),
    ("fit", "one_to_one", "split", "mirror"),
    ("snapshot", "copy_picture", "record", "save_overlay"),
    ("full_screen",),
)
"""What a click with the other button on the picture offers, by groups."""


class Window(QMainWindow):
    """The window.

    Signals:
        first_picture: the first picture was drawn.
        closing: all that the user wants kept is kept, and the parts are about to be taken down.
    """

    first_picture = Signal()
    closing = Signal()

    def __init__(self, app: QApplication, controller: Controller, diagnose: Callable[[], str]) -> None:
        super().__init__()
        self._app = app
        self.controller = controller
        self.themed = Themed(themes.resolve(controller.settings.theme))
        themes.apply(app, self.themed.theme)
        # Before the canvas, whose library closes all canvases at that moment.
        app.aboutToQuit.connect(self.shutdown)
        self._down = False
        self._safe = False
        self._ends: list[Callable[[], None]] = []
        self.setWindowTitle("Lightloom")
        self.setWindowIcon(icons.app_icon())
        room = self.screen().availableGeometry()
        self.setMinimumSize(min(_MINIMUM[0], room.width()), min(_MINIMUM[1], room.height()))
        self.setAcceptDrops(True)
        self._drops = DropRate()
        self.menus = Menus(self, self, find_menus(), find_actions())
        self.actions_by_name = self.menus.actions
        self.dialogs = WindowDialogs(
            self, controller, self.menus.commands, self.menus.by_menu, diagnose, self.themed
        )
        self.full_screen = FullScreen(
            self, lambda: (self.menuBar(), self.statusBar(), self.bar, *self.docks.values())
        )
        self.updates = Updates(controller, self)
        self.last_session = LastSession(controller, self)
        self.closing.connect(self.last_session.end)
        app.commitDataRequest.connect(lambda _: self.last_session.keep())
        self.leaving = Closing(controller.exports, controller.messages, self)
        self.leaving.may_close.connect(lambda: QTimer.singleShot(0, self, self.close))
        self._make_middle()
        self._make_panels()
        self._make_bars()
        self.hints = Hints(self.controller, self.actions_by_name, self.dock_area, self)
        self._connect()
        self._restore()
        self._apply_background()
        self._key_guard = KeyGuard(self, lambda: self.pages.currentWidget() is self.viewport)
        # Behind the parts and their first showing: it is asked about every event, and those send thousands.
        QTimer.singleShot(0, self, self._guard_keys)

    def _guard_keys(self) -> None:
        if not self._down:
            self._app.installEventFilter(self._key_guard)

    # -- the parts ---------------------------------------------------------------------------------------------------

    def _make_middle(self) -> None:
        self.viewport = Viewport(self.controller.engine, self.controller.playback.take, self)
        self.notices = NoticeBar(self.themed)
        self.empty = EmptyState(self.themed)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.viewport)
        self.floor = Floor(self.pages, self.notices, native=self.viewport.is_native)
        self.setCentralWidget(self.floor)
        ZoneTool(self.controller.zones, self.viewport)
        ClickTool(self.controller.clicks, self.viewport)
        self.clean_output = CleanOutput(self.controller, self.viewport, self)
        self.viewport.needed_by.append(lambda: self.controller.pictures.recording is not None)
        self.overlay = OverlayPresenter(
            self.controller, self.viewport, self._drops, lambda: self.floor.covered, self
        )
        self.grid_view = GridView(self.controller, self.viewport, self.themed)

    def _make_panels(self) -> None:
        context = PanelContext(self.controller, self.themed, self.actions_by_name)
        self.dock_area: DockArea = DockArea(self, panel_specs(), context)
        self.docks: dict[str, QDockWidget] = self.dock_area.docks
        self.library_pages = self.dock_area.pages["library"]
        self.sources = self.dock_area.panel("sources", SourcesPanel)
        self.library = self.dock_area.panel("library", LibraryPanel)
        self.chain = self.dock_area.panel("chain", ChainPanel)
        self.stats = self.dock_area.panel("stats", StatsPanel)

    @property
    def networks(self) -> ModelsPanel:
        """The page of networks."""
        from desktop.ui.panels.networks.models_panel import ModelsPanel

        return self.dock_area.panel("networks", ModelsPanel)

    def _make_late_panels(self) -> None:
        if not self._down:
            self.dock_area.make_late()

    def _make_bars(self) -> None:
        self.transport = Transport(self.controller, self.themed, self.actions_by_name)
        self.bar: QToolBar = QToolBar(self.tr("Playback"))
        self.bar.setObjectName("playback")
        self.bar.setMovable(False)
        self.bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.bar.toggleViewAction().setVisible(False)
        self.bar.addWidget(self.transport)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, self.bar)
        overflow = self.bar.findChild(QToolButton, "qt_toolbar_ext_button")
        if overflow is not None:
            overflow.setAccessibleName(self.tr("More"))
        self.menus.make_bar()
        self.status = StatusBar(self.controller, self.themed, self._drops, self.actions_by_name)
        self.setStatusBar(self.status)

    def _connect(self) -> None:
        self._connect_controller()
        self._connect_viewport()
        self._connect_panels()
        self._connect_states()
        self._follow_settings()
        self._figures = QTimer(self)
        self._figures.setInterval(_FIGURES_MS)
        self._figures.timeout.connect(self.refresh)
        # A picture that stays may be one that the network has not looked at: nothing else would have it drawn.
        self._figures.timeout.connect(self.viewport.wake)
        self._shaders = QTimer(self)
        self._shaders.setInterval(_SHADERS_MS)
        self._shaders.timeout.connect(self.controller.shaders.look)
        self.menus.sync()
        self._on_source()
        self._on_rebuilt()

    def _connect_controller(self) -> None:
        controller, playback = self.controller, self.controller.playback
        playback.woken.connect(self.viewport.wake)
        controller.progressed.connect(self.viewport.wake)
        controller.engine_rebuilt.connect(self._on_rebuilt)
        playback.changed.connect(self._on_source)
        controller.playlist.changed.connect(self._on_source)
        playback.moved.connect(self.refresh)
        playback.opened.connect(self.notices.forget_sources)
        # What was taken from the source before, and not drawn.
        playback.opened.connect(lambda _: self.viewport.drop_waiting())
        controller.messages.notice.connect(self.notices.add)
        controller.messages.settled.connect(self.notices.settle)
        self.notices.focus_left.connect(self._leave_control)
        controller.messages.said.connect(self.say)
        controller.pictures.recording_changed.connect(self.refresh)

    def _connect_viewport(self) -> None:
        viewport = self.viewport
        viewport.presented.connect(self.first_picture)
        self.first_picture.connect(lambda: QTimer.singleShot(0, self, self._make_late_panels))
        viewport.needed_by.append(lambda: self.controller.live.is_any_on)
        viewport.drawn.connect(self.controller.pictures.on_drawn)
        viewport.drawn.connect(self.controller.live.on_drawn)
        viewport.redrawn.connect(self.controller.live.on_redrawn)
        viewport.drawn.connect(self.controller.zones.on_drawn)
        viewport.drawing.connect(self.overlay.follow_result)
        viewport.view_changed.connect(self._on_view)
        self.controller.zones.changed.connect(self.overlay.draw)
        self.controller.clicks.changed.connect(self.overlay.draw)
        self.controller.clicks.held.connect(viewport.drop_waiting)
        viewport.drawn.connect(self.controller.clicks.look)
        self.controller.edits.setup_changed.connect(self.overlay.draw)
        viewport.failed.connect(lambda text: self.notices.add(Notice("error", translated(text))))
        viewport.context_menu.connect(self._show_picture_menu)
        self.controller.grid.used.connect(self.overlay.forget)
        self.controller.grid.changed.connect(self._on_source)
        self.floor.covered_changed.connect(self.overlay.draw)
        self.full_screen.changed.connect(self._apply_background)
        self.full_screen.changed.connect(viewport.setFocus)

    def _connect_panels(self) -> None:
        self.chain.open_file.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))
        self.chain.focus_left.connect(self._leave_control)
        self.chain.library_asked.connect(lambda: self.dock_area.search("library"))
        self.library.added.connect(self.chain.focus_stage)
        self.chain.input_asked.connect(lambda *given: self.networks.ask_input(*given))
        self.chain.compare_asked.connect(lambda: self.dock_area.show("comparison"))
        self.controller.networks.input_unclear.connect(lambda *given: self.networks.show_input(*given))
        self.controller.networks.hosts_asked.connect(lambda *given: self.dialogs.ask_hosts(*given))
        self.empty.open_asked.connect(self.sources.ask_file)
        self.empty.camera_asked.connect(self.sources.open_camera)
        self.empty.sample_asked.connect(self.controller.opening.open_sample)

    def _connect_states(self) -> None:
        """Whatever an action's state may depend on brings all of them up to date."""
        controller, sync = self.controller, self.menus.sync
        for signal in (
            *(controller.playback.changed, controller.playback.moved, controller.edits.setup_changed),
            controller.sound.changed,
            controller.subtitles.changed,
            controller.decoding.changed,
            controller.playlist.changed,
            *(
                controller.pictures.recording_changed,
                controller.live.changed,
                controller.export.changed,
                controller.edits.clipboard_changed,
                controller.zones.changed,
                controller.clicks.changed,
                self.viewport.view_changed,
            ),
            *(self.full_screen.changed, self.clean_output.changed, controller.grid.changed),
            *(dock.visibilityChanged for dock in self.docks.values()),
        ):
            signal.connect(lambda *_: sync())
        self._ends.append(controller.settings.follow(sync))

    def _follow_settings(self) -> None:
        """What the page of preferences, or an action, changes is so at once."""
        follow = self.controller.settings.follow
        self._ends += (
            follow(self._apply_theme, Settings.theme),
            follow(self._say_language, Settings.language),
            follow(self.overlay.draw, Settings.show_stats, Settings.shows_seen),
            follow(self.grid_view.look_anew, Settings.shows_seen),
            follow(self._refresh_networks, Settings.model_folder, Settings.model_mirror, Settings.offline),
            follow(self._forget_place, Settings.geometry, Settings.docks),
            follow(self.sources.refresh, Settings.recent),
            follow(self.library.refresh, Settings.favorites),
        )

    # -- beginning and ending ----------------------------------------------------------------------------------------

    def start(
        self,
        paths: list[str],
        *,
        preset: Path | None = None,
        empty: bool = False,
        sample: Source | None = None,
        grid: bool = False,
        goes_on: bool = False,
        crashed: bool = False,
    ) -> None:
        """Open what was asked for, or what the window before had, or the sample.

        Args:
            paths: what is named.
            preset: a preset to begin with.
            empty: open nothing.
            sample: the one that plays already.
            grid: show several sources beside each other.
            goes_on: nothing is named, and the last session is to be brought back.
            crashed: the window before crashed: its session is offered.
        """
        if self.controller.settings.problem:
            self.controller.messages.tell("warning", self.controller.settings.problem)
        self._tell_of_adapter()
        self._figures.start()
        self._shaders.start()
        self.controller.playlist.restore()
        QTimer.singleShot(_WARN_MS, self, self._warn)
        if grid:
            self.controller.grid.begin()
        if preset is not None:
            self.controller.opening.load_preset(preset)
        goes_on = goes_on and self.last_session.restore(sample)
        if crashed:
            self.last_session.put_aside()
        if crashed or self._safe or self.last_session.is_aside:
            self.last_session.offer()
        if paths:
            self.controller.opening.drop(paths, on_sample=True)
        elif goes_on:
            pass
        elif sample is not None:
            self.controller.playback.adopt(sample_name(self.controller.adapter), sample)
        elif not empty:
            self.controller.opening.open_sample()
        self.first_picture.connect(self.updates.begin, Qt.ConnectionType.SingleShotConnection)
        self.first_picture.connect(self._tell_of_plugins, Qt.ConnectionType.SingleShotConnection)
        if not paths and not empty and not goes_on and preset is None and not self._safe:
            # Behind the first picture, which it would delay.
            once = Qt.ConnectionType.SingleShotConnection
            self.first_picture.connect(self._begin, once)
        self.viewport.setFocus()

    def enter_safe_mode(self) -> None:
        """Say that the user's shaders, networks and the graphics card are left out, and offer the way back."""
        self._safe = True
        self.last_session.stop()
        leave = QPushButton(self.tr("Leave safe mode"))
        leave.setToolTip(self.tr("Close this window and start Lightloom as usual"))
        leave.clicked.connect(self.leave_safe_mode)
        self.statusBar().addPermanentWidget(leave)
        self._on_source()
        text = (
            self.tr("Safe mode: your own shaders, networks and the graphics card are left out.")
            if self.controller.adapter.is_software
            else self.tr(
                "Safe mode: your own shaders and networks are left out. There is no software adapter here, so {0} computes."
            ).format(self.controller.adapter.name)
        )
        self.notices.add(Notice("warning", text))

    def leave_safe_mode(self) -> None:
        """Start again as usual."""
        start_again([word for word in sys.argv[1:] if word != "--safe-mode"])
        self.end()

    def _tell_of_adapter(self) -> None:
        """Say which adapters refused, or are gone, so that another one computes."""
        self.controller.messages.settled.emit(_ADAPTER)
        for remark in self.controller.engine.gpu.remarks:
            choose = NoticeButton(self.tr("Choose an adapter..."), self.actions_by_name["adapter"].trigger)
            self.controller.messages.tell("warning", remark, about=_ADAPTER, buttons=(choose,))

    def _tell_of_plugins(self) -> None:
        from desktop.ui.plugin_notices import tell_of_plugins  # behind the first picture

        tell_of_plugins(self.controller.messages)

    def _warn(self) -> None:
        if not self._down:
            tell_of_fault(self.controller)

    def _begin(self) -> None:
        """Show a new user what this is: the sample through a filter beside the picture as it was, and where to find the rest."""
        if self.controller.begin():
            self.viewport.set_split(0.5)
        self.hints.say_first()

    def _restore(self) -> None:
        settings = self.controller.settings
        self._resize_first()
        # Broken entries are refused by Qt, and the defaults stay.
        self.restoreGeometry(settings.geometry)
        self.restoreState(settings.docks)
        self.dock_area.fit()

    def _resize_first(self) -> None:
        room = self.screen().availableGeometry()
        width, height = (round(side * _SHARE_OF_SCREEN) for side in (room.width(), room.height()))
        self.resize(min(_FIRST_SIZE[0], width), min(_FIRST_SIZE[1], height))

    def _forget_place(self) -> None:
        """What was put back on the page of preferences is so at once: closing would keep it as it is."""
        settings = self.controller.settings
        if settings.docks.isEmpty():
            self.dock_area.reset()
        if settings.geometry.isEmpty() and not self.isFullScreen():
            self.setWindowState(Qt.WindowState.WindowNoState)
            self._resize_first()

    def _refresh_networks(self) -> None:
        if self.dock_area.is_made("networks"):
            self.networks.refresh()

    def end(self) -> None:
        """Close without asking."""
        self.leaving.free()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the window's state and stop, unless an export is running, in which case the user is asked."""
        if not self._down and not self.leaving.allows():
            event.ignore()
            return
        if not self.isFullScreen():
            self.controller.settings.geometry = self.saveGeometry()
            # Panels that only this size folded away are to be there in a larger window.
            self.dock_area.unfold(unstack=True)
            self.controller.settings.docks = self.saveState()
        self.shutdown()
        event.accept()

    def shutdown(self) -> None:
        """Stop all work and release everything; twice is allowed."""
        if self._down:
            return
        self._down = True
        self.closing.emit()
        self._app.removeEventFilter(self._key_guard)
        for end in self._ends:
            end()
        self._figures.stop()
        self._shaders.stop()
        self.overlay.end()
        self.dock_area.shutdown()
        self.clean_output.shutdown()
        self.grid_view.shutdown()
        self.transport.shutdown()
        self.viewport.shutdown()
        self.controller.close()

    # -- drops -------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and addresses."""
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open or add what was dropped."""
        data = event.mimeData()
        specs = [url.toLocalFile() or url.toString() for url in data.urls()]
        if not specs and data.hasText():
            specs = [line.strip() for line in data.text().splitlines() if line.strip()]
        accept_copy(event)
        if self.controller.grid.is_on:
            self.controller.grid.aim(self.grid_view.tile_at(self.viewport.mapFrom(self, event.position())))
        self.controller.opening.drop(specs)

    # -- following the state -----------------------------------------------------------------------------------------

    def _on_source(self) -> None:
        playback = self.controller.playback
        shows = playback.has_picture or self.controller.grid.is_on
        self.pages.setCurrentWidget(self.viewport if shows else self.empty)
        info = playback.info
        parts = [self._on_screen(info)] if info is not None else []
        parts += [self.tr("Safe mode")] if self._safe else []
        # Qt puts the application's name behind every title that does not end with it, on X11 with this dash.
        self.setWindowTitle(" — ".join((*parts, "Lightloom")))
        self.refresh()

    def _on_screen(self, info: SourceInfo) -> str:
        """What is on screen: its name, of a folder its picture's too, and its place in the playlist."""
        title, place = translated(named(info)), self.controller.playlist.place
        return title if place is None else f"{title} ({self.tr('{0} of {1}').format(*place)})"

    def _on_rebuilt(self) -> None:
        if self.controller.engine.rebuilds:
            self.viewport.reconfigure()
            self.controller.messages.said.emit(self.tr("The graphics device was restarted"))
            self._tell_of_adapter()
            self._warn()
        self.status.show_adapter(self.controller.adapter)

    def _on_view(self) -> None:
        self.overlay.draw()
        self.status.show_zoom(self.viewport.zoom)

    def refresh(self) -> None:
        """Bring figures, states and overlay up to date."""
        if self._down:
            return
        self.controller.look_at_stages()
        self.controller.clicks.look()
        snapshot = self.controller.engine.current.snapshot()
        self._count_drops(snapshot.stats)
        self.dock_area.update_figures()
        self.dock_area.arrange()
        self.transport.update_time()
        self.overlay.draw()
        self.status.show_figures(snapshot, self.viewport.zoom)

    def _count_drops(self, stats: PipelineStats) -> None:
        source = self.controller.playback.source
        dropped = source.stats.dropped if source is not None else 0
        self._drops.add(time.monotonic(), stats.frames, dropped + stats.skipped)

    def say(self, text: str) -> None:
        """Show a word on the picture for a moment."""
        self.status.say(text, int(TOAST_S * 1000))
        self.overlay.say(text)

    def _show_picture_menu(self, at: QPoint) -> None:
        self.menus.popup(_PICTURE_MENU).popup(at)

    # -- the window itself -------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the panels their places in the new size."""
        super().resizeEvent(event)
        if not self.full_screen.restore_panels():
            self.dock_area.fit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Let the Tab key follow the eye: left, middle, right, then what lies below."""
        docks = self.dock_area
        parts = (
            *(*docks.of("left"), self.centralWidget(), *docks.of("right"), *docks.of("bottom")),
            *(self.bar, self.statusBar()),
        )
        stops = [
            stop
            for part in parts
            for widget in (
                (part.titleBarWidget(), part.widget()) if isinstance(part, QDockWidget) else (part,)
            )
            if widget is not None
            for stop in tab_stops(widget)
            if stop.window() is self
        ]
        return step_focus(stops, self.focusWidget(), forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves full screen; else it leaves the control that has the focus, so that the player's keys work."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.isFullScreen():
            self.full_screen.toggle()
        else:
            self._leave_control()

    def _leave_control(self) -> None:
        # On the start page there is no picture.
        (self.viewport if self.viewport.isVisible() else self).setFocus()

    def _apply_theme(self) -> None:
        theme = themes.resolve(self.controller.settings.theme)
        themes.apply(self._app, theme)
        self.themed.set(theme)
        self.menus.sync()
        self._apply_background()

    def _apply_background(self) -> None:
        # Beside the picture nothing is to shine where nothing else is shown.
        background = (0.0, 0.0, 0.0) if self.isFullScreen() else self.themed.theme.viewer
        self.viewport.view = replace(self.viewport.view, background=background)

    def _say_language(self) -> None:
        code = self.controller.settings.language
        said = sentence("The language changes when Lightloom is started again.")
        text = in_language(language_of(code), said)
        self.notices.add(Notice("info", text))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the desktop's dark or light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange and self.controller.settings.theme == "system":
            self._apply_theme()
