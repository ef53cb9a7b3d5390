"""The window: makes the parts, puts them together and connects them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QMenuBar,
    QPushButton,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from desktop.base.discovery import import_all
from desktop.base.wording import sentence
from desktop.media.sources.base import Source, SourceInfo, named
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.features.clean_output.clean_output import CleanOutput
from desktop.ui.features.clicks.click_tool import ClickTool
from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.grid.grid_view import GridView
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.opening.references import references_for
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.playback.transport import Transport
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.features.updates.updates import Updates
from desktop.ui.features.zones.zone_tool import ZoneTool
from desktop.ui.features.zones.zones import Zones
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import icons
from desktop.ui.kit import theme as themes
from desktop.ui.kit.drops import accept_copy, local_path
from desktop.ui.kit.language import in_language, language_of, translated
from desktop.ui.kit.messages import Notice, NoticeButton
from desktop.ui.kit.motion import Motion, system_reduces_motion
from desktop.ui.kit.notices import Floor, NoticeQueue
from desktop.ui.kit.rates import DropRate
from desktop.ui.kit.widgets import Themed, step_focus, tab_stops
from desktop.ui.shell.closing import Closing
from desktop.ui.shell.composition import (
    card_specs,
    connect_features,
    find_actions,
    find_menus,
    panel_specs,
)
from desktop.ui.shell.docks import DockArea
from desktop.ui.shell.drop_zones import DropZones, zones_for
from desktop.ui.shell.empty_state import EmptyState
from desktop.ui.shell.first_setup import begin_with_sample
from desktop.ui.shell.full_screen import FullScreen
from desktop.ui.shell.full_screen_controls import FullScreenControls
from desktop.ui.shell.header import Header
from desktop.ui.shell.hints import Hints
from desktop.ui.shell.last_session import LastSession
from desktop.ui.shell.overlay_presenter import READ_S, TOAST_S, OverlayPresenter
from desktop.ui.shell.plugin_notices import offered_plugins, report_plugins
from desktop.ui.shell.safety import start_again
from desktop.ui.shell.source_menu import source_menu
from desktop.ui.shell.window_dialogs import WindowDialogs
from desktop.ui.workspace.by_adapter import sample_name
from desktop.ui.workspace.keys import KeyGuard
from desktop.ui.workspace.menus import Menus
from desktop.ui.workspace.panel import PanelContext
from desktop.ui.workspace.viewport import Viewport
from desktop.ui.workspace.workspace import Workspace

_FIGURES_MS: Final = 250
_SHADERS_MS: Final = 500
_BETWEEN_PANELS_MS: Final = 20
# Behind the first frame, which it would delay.
_SYSTEM_MS: Final = 1500
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
"""Groups of the frame's context menu."""


def _specs_of(event: QDropEvent) -> list[str]:
    """Return the paths and addresses of a drag, a line of text each if it has no URLs."""
    data = event.mimeData()
    specs = [local_path(url) or url.toString() for url in data.urls()]
    if not specs and data.hasText():
        specs = [line.strip() for line in data.text().splitlines() if line.strip()]
    return specs


class Window(QMainWindow):
    """The main window; `closing` is sent after the user's state is saved and before its parts close."""

    first_picture = Signal()
    closing = Signal()

    def __init__(self, app: QApplication, workspace: Workspace, diagnose: Callable[[], str]) -> None:
        super().__init__()
        self._app = app
        self.workspace = workspace
        self.themed = Themed(themes.resolve(workspace.settings.theme))
        workspace.add(self.themed)
        self.motion = workspace.get(Motion)
        self.motion.changed.connect(self._apply_theme)
        themes.apply(app, self.themed.theme, is_still=self.motion.is_reduced)
        # Before the canvas, whose library then closes all canvases.
        app.aboutToQuit.connect(self.shutdown)
        self._down = False
        self._safe = False
        self._zoom: float | None = None
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
            self,
            workspace,
            self.menus.commands,
            self.menus.by_menu,
            diagnose,
            panels=lambda: self.docks.keys(),
            show_setting=lambda setting: show_preferences(self).show_setting(setting),
        )
        self.full_screen = FullScreen(self, lambda: (self.top, self.bar, *self.docks.values()))
        self.updates = workspace.get(Updates)
        workspace.add(self.dialogs)
        workspace.add(self.full_screen)
        self.last_session = LastSession(workspace, self)
        self.closing.connect(self.last_session.end)
        app.commitDataRequest.connect(lambda _: self.last_session.save())
        self.leaving = Closing(
            workspace.get(Exports),
            workspace.get(ResultsExport),
            workspace.messages,
            self,
            records=lambda: workspace.get(Pictures).recording is not None,
        )
        self.leaving.may_close.connect(lambda: QTimer.singleShot(0, self, self.close))
        self._make_top()
        self._make_middle()
        self._make_panels()
        self._make_bars()
        self.hints = Hints(self.workspace, self.actions_by_name, self.dock_area, self)
        self._connect()
        self._restore()
        self._apply_background()
        self._key_guard = KeyGuard(self, lambda: self.pages.currentWidget() is self.viewport)
        self._key_guard.begin(app)

    # -- the parts -------------------------------------------------------------------------------------------

    def _make_middle(self) -> None:
        self.viewport = Viewport(self.workspace.engine, self.workspace.playback.take, self)
        self.notices = NoticeQueue(self.themed)
        self.empty = EmptyState(self.themed, self.actions_by_name)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.viewport)
        self.floor = Floor(self.pages, self.notices, native=self.viewport.is_native)
        self.setCentralWidget(self.floor)
        self.drop_zones = DropZones(self.themed, self.floor, native=self.viewport.is_native)
        ZoneTool(self.workspace.get(Zones), self.viewport)
        ClickTool(self.workspace.get(Clicks), self.viewport)
        self.clean_output = CleanOutput(self.workspace, self.viewport, self)
        self.viewport.needed_by.append(lambda: self.workspace.get(Pictures).recording is not None)
        self.overlay = OverlayPresenter(self.workspace, self.viewport, self._drops, self._covered, self)
        self.workspace.add(self.overlay)
        self.workspace.add(self.clean_output)
        self.grid_view = GridView(self.workspace, self.viewport, self.themed)

    def _covered(self) -> QRect:
        return self.controls.geometry() if self.controls.isVisible() else self.floor.covered

    def _make_panels(self) -> None:
        context = PanelContext(self.workspace, self.themed, self.actions_by_name, card_specs())
        self.dock_area: DockArea = DockArea(self, panel_specs(), context)
        self.docks: dict[str, QDockWidget] = self.dock_area.docks

    def _make_late_panels(self) -> None:
        # One at a time, imported on a thread: all of them would hold up frames for half a second.
        spec = None if self._down else self.dock_area.next_late()
        if spec is not None:
            self.workspace.jobs.run(partial(import_all, spec.modules), lambda _: self._make_late(spec.id))

    def _make_late(self, panel_id: str) -> None:
        self.dock_area.panel(panel_id, QWidget)
        QTimer.singleShot(_BETWEEN_PANELS_MS, self, self._make_late_panels)

    def _make_bars(self) -> None:
        self.transport = Transport(self.workspace, self.themed, self.actions_by_name)
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
        self.controls = FullScreenControls(
            self.workspace,
            self.themed,
            self.actions_by_name,
            lambda parent: self.menus.menu("filters/presets", parent),
            self.viewport,
            self.floor,
            native=self.viewport.is_native,
        )
        sources = source_menu(self.workspace, self.actions_by_name, self)
        self.header = Header(
            self.workspace,
            self.themed,
            self._drops,
            self.actions_by_name,
            sources,
            lambda panel: self.dock_area.show(panel, grow=True),
        )
        self._top_row.addWidget(self.header, 1)

    def menuBar(self) -> QMenuBar:
        """Return the menu bar, which shares its row with the header."""
        return self._menu_bar

    def _make_top(self) -> None:
        self.top = QWidget()
        self.top.setObjectName("top")
        self.top.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._top_row = row = QHBoxLayout(self.top)
        row.setContentsMargins(2, 2, 0, 2)
        row.setSpacing(0)
        self._menu_bar = QMenuBar()
        row.addWidget(self._menu_bar, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setMenuWidget(self.top)

    def _connect(self) -> None:
        self._connect_workspace()
        self._connect_viewport()
        connect_features(self)
        self._connect_states()
        self._follow_settings()
        self._figures = QTimer(self)
        self._figures.setInterval(_FIGURES_MS)
        self._figures.timeout.connect(self.refresh)
        # Redraw a still frame that the network may not have processed.
        self._figures.timeout.connect(self.viewport.wake)
        self._shaders = QTimer(self)
        self._shaders.setInterval(_SHADERS_MS)
        self._shaders.timeout.connect(self.workspace.get(OwnShaders).poll)
        self.menus.sync()
        self._on_source()
        self._on_rebuilt()

    def _connect_workspace(self) -> None:
        workspace, playback = self.workspace, self.workspace.playback
        playback.woken.connect(self.viewport.wake)
        workspace.progressed.connect(self.viewport.wake)
        workspace.engine_rebuilt.connect(self._on_rebuilt)
        playback.changed.connect(self._on_source)
        workspace.get(PlaylistPlayer).changed.connect(self._on_source)
        playback.moved.connect(self.refresh)
        playback.opened.connect(self.notices.expire_source_notices)
        # A frame that was taken from the previous source and not drawn.
        playback.opened.connect(lambda _: self.viewport.drop_waiting())
        workspace.messages.notice.connect(self._show_notice)
        workspace.messages.settled.connect(self.notices.settle)
        self.notices.focus_left.connect(self.leave_control)
        workspace.messages.said.connect(self.show_message)
        workspace.get(Pictures).recording_changed.connect(self.refresh)

    def _connect_viewport(self) -> None:
        viewport = self.viewport
        viewport.presented.connect(self.first_picture)
        self.first_picture.connect(lambda: QTimer.singleShot(0, self, self._make_late_panels))
        viewport.needed_by.append(lambda: self.workspace.get(LiveOutputs).is_any_on)
        viewport.drawn.connect(self.workspace.get(Pictures).on_drawn)
        viewport.drawn.connect(self.workspace.get(LiveOutputs).on_drawn)
        viewport.redrawn.connect(self.workspace.get(LiveOutputs).on_redrawn)
        viewport.drawn.connect(self.workspace.get(Zones).on_drawn)
        viewport.drawing.connect(self.overlay.follow_result)
        viewport.view_changed.connect(self._on_view)
        self.workspace.get(Zones).changed.connect(self.overlay.draw)
        self.workspace.get(Clicks).changed.connect(self.overlay.draw)
        self.workspace.get(Clicks).held.connect(viewport.drop_waiting)
        viewport.drawn.connect(self.workspace.get(Clicks).poll)
        self.workspace.edits.setup_changed.connect(self.overlay.draw)
        viewport.failed.connect(lambda text: self.notices.add(Notice("error", translated(text))))
        viewport.context_menu.connect(self._show_picture_menu)
        self.workspace.get(Grid).used.connect(self.overlay.clear)
        self.workspace.get(Grid).changed.connect(self._on_source)
        self.floor.covered_changed.connect(self.overlay.draw)
        self.full_screen.changed.connect(self._apply_background)
        self.full_screen.changed.connect(lambda: self.controls.use(self.isFullScreen()))
        self.full_screen.changed.connect(lambda: self.notices.hold(self.isFullScreen()))
        self.full_screen.changed.connect(viewport.setFocus)

    def _connect_states(self) -> None:
        """Update all actions on any change that their states may depend on."""
        workspace, sync = self.workspace, self.menus.sync
        for signal in (
            *(workspace.playback.changed, workspace.playback.moved, workspace.edits.setup_changed),
            workspace.sound.changed,
            workspace.get(Subtitles).changed,
            workspace.get(Decoding).changed,
            workspace.get(PlaylistPlayer).changed,
            *(
                workspace.get(Pictures).recording_changed,
                workspace.get(LiveOutputs).changed,
                workspace.get(ResultsExport).changed,
                workspace.edits.clipboard_changed,
                workspace.get(Zones).changed,
                workspace.get(Clicks).changed,
                self.viewport.view_changed,
            ),
            *(self.full_screen.changed, self.clean_output.changed, workspace.get(Grid).changed),
            *(dock.visibilityChanged for dock in self.docks.values()),
        ):
            signal.connect(lambda *_: sync())
        self._ends.append(workspace.settings.follow(sync))

    def _follow_settings(self) -> None:
        """Apply changed settings immediately."""
        follow = self.workspace.settings.follow
        self._ends += (
            follow(self._apply_theme, Settings.theme),
            follow(lambda: self.motion.set_preference(self.workspace.settings.motion), Settings.motion),
            follow(self._notify_language, Settings.language),
            follow(self.overlay.draw, Settings.show_stats, Settings.shows_seen),
            follow(self.grid_view.mark_overlays_stale, Settings.shows_seen),
            follow(self._reset_geometry, Settings.geometry, Settings.docks),
        )

    # -- beginning and ending --------------------------------------------------------------------------------

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
        """Open the requested sources, the last session or the sample.

        `goes_on`: nothing is requested, and the last session is restored. `crashed`: the last window crashed;
        its session is offered. `empty`: open nothing.
        """
        if self.workspace.settings.problem:
            self.workspace.messages.post("warning", self.workspace.settings.problem)
        self._report_adapter_notes()
        self._figures.start()
        self._shaders.start()
        QTimer.singleShot(_SYSTEM_MS, self, self._query_system)
        self.workspace.get(PlaylistPlayer).restore()
        if grid:
            self.workspace.get(Grid).begin()
        if preset is not None:
            self.workspace.get(Opening).load_preset(preset)
        goes_on = goes_on and self.last_session.restore(sample)
        if crashed:
            self.last_session.put_aside()
        if crashed or self._safe or self.last_session.is_aside:
            self.last_session.offer()
        if paths:
            self.workspace.get(Opening).drop(paths, on_sample=True)
        elif goes_on:
            pass
        elif sample is not None:
            self.workspace.playback.adopt(sample_name(self.workspace.adapter), sample)
        elif not empty:
            self.workspace.get(Opening).open_sample()
        self.first_picture.connect(self.updates.begin, Qt.ConnectionType.SingleShotConnection)
        self.first_picture.connect(self._report_plugins, Qt.ConnectionType.SingleShotConnection)
        if not paths and not empty and not goes_on and preset is None and not self._safe:
            # Behind the first frame, which it would delay.
            once = Qt.ConnectionType.SingleShotConnection
            self.first_picture.connect(self._begin, once)
        self.viewport.setFocus()

    def _query_system(self) -> None:
        self.workspace.jobs.run(system_reduces_motion, self.motion.set_system)

    def enter_safe_mode(self) -> None:
        """Announce that shaders, networks and the graphics card are left out; offer a normal start."""
        self._safe = True
        self.last_session.stop()
        leave = QPushButton(self.tr("Leave safe mode"))
        leave.setToolTip(self.tr("Close this window and start Lightloom as usual"))
        leave.clicked.connect(self.leave_safe_mode)
        self.header.add_button(leave)
        self._on_source()
        text = (
            self.tr("Safe mode: your own shaders, networks and the graphics card are left out.")
            if self.workspace.adapter.is_software
            else self.tr(
                "Safe mode: your own shaders and networks are left out. There is no software adapter here, "
                "so {0} computes."
            ).format(self.workspace.adapter.name)
        )
        self.notices.add(Notice("warning", text))

    def leave_safe_mode(self) -> None:
        """Start again as usual."""
        start_again([word for word in sys.argv[1:] if word != "--safe-mode"])
        self.end()

    def _report_adapter_notes(self) -> None:
        """Report adapters that failed or are missing, so that another one is used."""
        self.workspace.messages.settled.emit(_ADAPTER)
        for note in self.workspace.engine.gpu.notes:
            choose = NoticeButton(self.tr("Choose an adapter..."), self.actions_by_name["adapter"].trigger)
            self.workspace.messages.post("warning", note, about=_ADAPTER, buttons=(choose,))

    def _report_plugins(self) -> None:
        # Listing them imports and reads files for 50 ms.
        self.workspace.jobs.run(offered_plugins, partial(report_plugins, self.workspace.messages))

    def _begin(self) -> None:
        """Show a new user the sample through a filter beside the original, and a hint on the rest."""
        if begin_with_sample(self.workspace):
            self.viewport.set_split(0.5)
        self.hints.show_first_hint()

    def _restore(self) -> None:
        settings = self.workspace.settings
        self._resize_first()
        # Broken entries are refused by Qt, and the defaults stay.
        self.restoreGeometry(settings.geometry)
        self.dock_area.restore(settings.docks)
        self.dock_area.fit()

    def _resize_first(self) -> None:
        room = self.screen().availableGeometry()
        width, height = (round(side * _SHARE_OF_SCREEN) for side in (room.width(), room.height()))
        self.resize(min(_FIRST_SIZE[0], width), min(_FIRST_SIZE[1], height))

    def _reset_geometry(self) -> None:
        """Apply a layout reset of the preferences page now; closing would save the current one."""
        settings = self.workspace.settings
        if settings.docks.isEmpty():
            self.dock_area.reset()
        if settings.geometry.isEmpty() and not self.isFullScreen():
            self.setWindowState(Qt.WindowState.WindowNoState)
            self._resize_first()

    def end(self) -> None:
        """Close without asking."""
        self.leaving.free()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the window's state and stop; while an export or a recording runs, ask the user first."""
        if not self._down and not self.leaving.allows():
            event.ignore()
            return
        if not self.isFullScreen():
            self.workspace.settings.geometry = self.saveGeometry()
            # Panels that only this size folded away are to be there in a larger window.
            self.dock_area.unfold(unstack=True)
            self.workspace.settings.docks = self.saveState()
        # Before parts close: a recording or a job may keep them waiting, and the process may be ended then.
        self.workspace.settings.sync()
        self.shutdown()
        event.accept()

    def shutdown(self) -> None:
        """Stop all work and release everything; twice is allowed."""
        if self._down:
            return
        self._down = True
        # Qt removes its pending quit event when a native window is shown, as the box of notices is.
        self.notices.hold(True)
        self.closing.emit()
        self._key_guard.end(self._app)
        for end in self._ends:
            end()
        self._figures.stop()
        self._shaders.stop()
        self.overlay.end()
        self.dock_area.shutdown()
        self.clean_output.shutdown()
        self.grid_view.shutdown()
        self.transport.shutdown()
        self.controls.shutdown()
        self.viewport.shutdown()
        self.workspace.close()

    # -- drops -----------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and addresses, and show what a drop will do."""
        specs = _specs_of(event)
        if not specs:
            return
        accept_copy(event)
        if not self.workspace.get(Grid).is_on:
            playing = self.workspace.playback.has_picture
            uses = references_for(specs, self.workspace)
            zones = zones_for(specs, self.workspace.get(Opening), uses, is_playing=playing)
            self.drop_zones.begin(zones)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Highlight the zone under the pointer."""
        accept_copy(event)
        self.drop_zones.hover(self.floor.mapFrom(self, event.position().toPoint()))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Hide the zones."""
        self.drop_zones.end()

    def dropEvent(self, event: QDropEvent) -> None:
        """Do what the zone under the pointer says; in a grid, open the files in the tile there."""
        specs = _specs_of(event)
        accept_copy(event)
        self.drop_zones.end()
        zone = self.drop_zones.at(self.floor.mapFrom(self, event.position().toPoint()))
        grid = self.workspace.get(Grid)
        if grid.is_on or zone is None:
            grid.aim(self.grid_view.tile_at(self.viewport.mapFrom(self, event.position())))
            self.workspace.get(Opening).drop(specs)
        else:
            zone.run(specs)

    # -- following the state ---------------------------------------------------------------------------------

    def _on_source(self) -> None:
        playback = self.workspace.playback
        shows = playback.has_picture or self.workspace.get(Grid).is_on
        self.pages.setCurrentWidget(self.viewport if shows else self.empty)
        info = playback.info
        parts = [self._on_screen(info)] if info is not None else []
        parts += [self.tr("Safe mode")] if self._safe else []
        # Qt puts the application's name behind every title that does not end with it, on X11 with this dash.
        self.setWindowTitle(" — ".join((*parts, "Lightloom")))
        self.header.show_source()
        self.refresh()

    def _on_screen(self, info: SourceInfo) -> str:
        """Return the name shown, for a folder also its image's, and the place in the playlist."""
        title, place = translated(named(info)), self.workspace.get(PlaylistPlayer).place
        return title if place is None else f"{title} ({self.tr('{0} of {1}').format(*place)})"

    def _on_rebuilt(self) -> None:
        if self.workspace.engine.rebuilds:
            self.viewport.reconfigure()
            self.workspace.messages.said.emit(self.tr("The graphics device was restarted"))
            self._report_adapter_notes()
        self.header.show_adapter(self.workspace.adapter)

    def _on_view(self) -> None:
        self.overlay.draw()
        view = self.viewport.view
        if view.mode == "free" and view.zoom != self._zoom:
            self.overlay.show_message(f"{self.viewport.zoom * 100:.0f} %")
        self._zoom = view.zoom if view.mode == "free" else None

    def refresh(self) -> None:
        """Update figures, states and overlay."""
        if self._down:
            return
        self.workspace.refreshing.emit()
        snapshot = self.workspace.engine.current.snapshot()
        self._count_drops(snapshot.stats)
        self.dock_area.update_figures()
        self.dock_area.arrange()
        self.transport.update_time()
        self.controls.update_figures()
        self.overlay.draw()
        self.header.show_figures(snapshot)

    def _count_drops(self, stats: PipelineStats) -> None:
        source = self.workspace.playback.source
        dropped = source.stats.dropped if source is not None else 0
        self._drops.add(time.monotonic(), stats.frames, dropped + stats.skipped)

    def show_message(self, text: str) -> None:
        """Show a word on the frame for a moment."""
        self.header.show_message(text, int(TOAST_S * 1000))
        self.overlay.show_message(text)

    def _show_notice(self, notice: Notice) -> None:
        if self._down:
            return  # it is in the log
        self.notices.add(notice)
        if notice.urgent and self.isFullScreen():
            self.overlay.show_message(notice.text, READ_S)

    def _show_picture_menu(self, at: QPoint) -> None:
        self.menus.popup(_PICTURE_MENU).popup(at)

    # -- the window itself -----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the panels in the new size."""
        super().resizeEvent(event)
        self.header.fit(event.size().width())
        if not self.full_screen.restore_panels():
            self.dock_area.fit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the Tab focus in visual order: left, middle, right, then the bottom."""
        docks = self.dock_area
        parts = (
            *(*docks.of("left"), self.centralWidget(), *docks.of("right"), *docks.of("bottom")),
            *(self.bar, self.header),
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
        """On Escape leave full screen, else the focused control, so that the player's keys work."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.isFullScreen():
            self.full_screen.toggle()
        else:
            self.leave_control()

    def leave_control(self) -> None:
        """Move the focus from a control to the viewport, whose keys then work."""
        # On the start page there is no frame.
        (self.viewport if self.viewport.isVisible() else self).setFocus()

    def _apply_theme(self) -> None:
        theme = themes.resolve(self.workspace.settings.theme)
        themes.apply(self._app, theme, is_still=self.motion.is_reduced)
        self.themed.set(theme)
        self.menus.sync()
        self._apply_background()

    def _apply_background(self) -> None:
        # Full screen is black around the frame.
        background = (0.0, 0.0, 0.0) if self.isFullScreen() else themes.VIEWER
        self.viewport.view = replace(self.viewport.view, background=background)

    def _notify_language(self) -> None:
        code = self.workspace.settings.language
        said = sentence("The language changes when Lightloom is started again.")
        text = in_language(language_of(code), said)
        self.notices.add(Notice("info", text))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the desktop's dark or light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange and self.workspace.settings.theme == "system":
            self._apply_theme()
