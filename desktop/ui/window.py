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

from desktop.compute.media.sources.base import Source
from desktop.compute.statistics import PipelineStats
from desktop.ui import icons
from desktop.ui import theme as themes
from desktop.ui.actions import find_actions, find_menus
from desktop.ui.by_adapter import sample_name
from desktop.ui.controller import Controller
from desktop.ui.docks import DockArea
from desktop.ui.driver_fault import tell_of_fault
from desktop.ui.empty_state import EmptyState
from desktop.ui.full_screen import FullScreen
from desktop.ui.keys import KeyGuard, native_text
from desktop.ui.language import in_language, language_of, translated
from desktop.ui.menus import Menus
from desktop.ui.messages import Notice
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
from desktop.ui.status_bar import StatusBar
from desktop.ui.transport import Transport
from desktop.ui.updates import Updates
from desktop.ui.viewport import Viewport
from desktop.ui.widgets import Themed, step_focus, tab_stops
from desktop.ui.window_dialogs import WindowDialogs
from desktop.ui.zone_tool import ZoneTool
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.ui.panels.networks.models_panel import ModelsPanel

_FIGURES_MS: Final = 250
_SHADERS_MS: Final = 500
# Behind the first picture, also where none comes.
_WARN_MS: Final = 3000
_MINIMUM: Final = (720, 440)
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
        self.setWindowTitle("Lightloom")
        self.setWindowIcon(icons.app_icon())
        room = self.screen().availableGeometry()
        self.setMinimumSize(min(_MINIMUM[0], room.width()), min(_MINIMUM[1], room.height()))
        self.setAcceptDrops(True)
        self._drops = DropRate()
        self.menus = Menus(self, self, find_menus(), find_actions())
        self.actions_by_name = self.menus.actions
        self.dialogs = WindowDialogs(self, controller, self.menus.commands, self.menus.by_menu, diagnose)
        self.full_screen = FullScreen(
            self, lambda: (self.menuBar(), self.statusBar(), self.bar, *self.docks.values())
        )
        self.updates = Updates(controller, self)
        self._make_middle()
        self._make_panels()
        self._make_bars()
        self._connect()
        self._restore()
        self._apply_background()
        self._key_guard = KeyGuard(self)
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
        self.floor = Floor(self.pages, self.notices, native=self.viewport.present_method == "screen")
        self.setCentralWidget(self.floor)
        ZoneTool(self.controller.zones, self.viewport)
        self.overlay = OverlayPresenter(
            self.controller, self.viewport, self._drops, lambda: self.floor.covered, self
        )

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
        self._figures = QTimer(self)
        self._figures.setInterval(_FIGURES_MS)
        self._figures.timeout.connect(self.refresh)
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
        playback.moved.connect(self.refresh)
        playback.opened.connect(self.notices.forget_sources)
        controller.messages.notice.connect(self.notices.add)
        controller.messages.settled.connect(self.notices.settle)
        controller.messages.said.connect(self.say)
        controller.pictures.recording_changed.connect(self.refresh)

    def _connect_viewport(self) -> None:
        viewport = self.viewport
        viewport.presented.connect(self.first_picture)
        self.first_picture.connect(lambda: QTimer.singleShot(0, self, self._make_late_panels))
        viewport.drawn.connect(self.controller.pictures.on_drawn)
        viewport.drawing.connect(self.overlay.follow_result)
        viewport.view_changed.connect(self._on_view)
        self.controller.zones.changed.connect(self.overlay.draw)
        self.controller.edits.setup_changed.connect(self.overlay.draw)
        viewport.failed.connect(lambda text: self.notices.add(Notice("error", translated(text))))
        viewport.context_menu.connect(self._show_picture_menu)
        self.floor.covered_changed.connect(self.overlay.draw)
        self.full_screen.changed.connect(self._apply_background)
        self.full_screen.changed.connect(viewport.setFocus)

    def _connect_panels(self) -> None:
        self.chain.open_file.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))
        self.chain.library_asked.connect(lambda: self.dock_area.search("library"))
        self.library.added.connect(self.chain.focus_stage)
        self.chain.input_asked.connect(lambda *given: self.networks.ask_input(*given))
        self.controller.networks.input_unclear.connect(lambda *given: self.networks.show_input(*given))
        self.empty.open_asked.connect(self.sources.ask_file)
        self.empty.camera_asked.connect(self.sources.open_camera)
        self.empty.sample_asked.connect(self.controller.opening.open_sample)

    def _connect_states(self) -> None:
        """Whatever an action's state may depend on brings all of them up to date."""
        controller, sync = self.controller, self.menus.sync
        for signal in (
            *(controller.playback.changed, controller.playback.moved, controller.edits.setup_changed),
            *(
                controller.pictures.recording_changed,
                controller.export.changed,
                controller.edits.clipboard_changed,
                controller.zones.changed,
                self.viewport.view_changed,
            ),
            *(self.updates.weekly_changed, self.full_screen.changed),
            *(dock.visibilityChanged for dock in self.docks.values()),
        ):
            signal.connect(lambda *_: sync())

    # -- beginning and ending ----------------------------------------------------------------------------------------

    def start(
        self,
        paths: list[str],
        *,
        preset: Path | None = None,
        empty: bool = False,
        sample: Source | None = None,
    ) -> None:
        """Open what was asked for, the sample where nothing was; `sample` is the one that plays already."""
        if self.controller.settings.problem:
            self.controller.messages.tell("warning", self.controller.settings.problem)
        self._figures.start()
        self._shaders.start()
        QTimer.singleShot(_WARN_MS, self, self._warn)
        if preset is not None:
            self.controller.opening.load_preset(preset)
        if paths:
            self.controller.opening.drop(paths, on_sample=True)
        elif sample is not None:
            self.controller.playback.adopt(sample_name(self.controller.adapter), sample)
        elif not empty:
            self.controller.opening.open_sample()
        self.first_picture.connect(self.updates.begin, Qt.ConnectionType.SingleShotConnection)
        if not paths and not empty and preset is None and not self._safe:
            # Behind the first picture, which it would delay.
            once = Qt.ConnectionType.SingleShotConnection
            self.first_picture.connect(self._begin, once)
        self.viewport.setFocus()

    def enter_safe_mode(self) -> None:
        """Say that the user's shaders, networks and the graphics card are left out, and offer the way back."""
        self._safe = True
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
        self.close()

    def _warn(self) -> None:
        if not self._down:
            tell_of_fault(self.controller)

    def _begin(self) -> None:
        """Show a new user what this is: the sample through a filter beside the picture as it was, and where to find the rest."""
        if self.controller.begin():
            self.viewport.set_split(0.5)
        if not self.controller.settings.hinted:
            self.controller.settings.hinted = True
            text = self.tr(
                "Drag the line to compare before and after, and drop your own video on the window. "
                "{palette} finds every command, {keys} lists the keys, {help} opens the guide."
            )
            keys = {
                name: native_text(self.actions_by_name[name].shortcut())
                for name in ("palette", "keys", "help")
            }
            self.controller.messages.tell("hint", text.format(**keys))

    def _restore(self) -> None:
        settings = self.controller.settings
        room = self.screen().availableGeometry()
        width, height = (round(side * _SHARE_OF_SCREEN) for side in (room.width(), room.height()))
        self.resize(min(_FIRST_SIZE[0], width), min(_FIRST_SIZE[1], height))
        # Broken entries are refused by Qt, and the defaults stay.
        self.restoreGeometry(settings.geometry)
        self.restoreState(settings.docks)
        self.dock_area.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the window's state and stop."""
        if not self.isFullScreen():
            self.controller.settings.geometry = self.saveGeometry()
            # Panels that only this size folded away are to be there in a larger window.
            self.dock_area.unfold()
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
        self._figures.stop()
        self._shaders.stop()
        self.overlay.end()
        self.dock_area.shutdown()
        self.viewport.shutdown()
        self.controller.close()

    # -- drops -------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and addresses."""
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open or add what was dropped."""
        data = event.mimeData()
        specs = [url.toLocalFile() or url.toString() for url in data.urls()]
        if not specs and data.hasText():
            specs = [line.strip() for line in data.text().splitlines() if line.strip()]
        event.acceptProposedAction()
        self.controller.opening.drop(specs)

    # -- following the state -----------------------------------------------------------------------------------------

    def _on_source(self) -> None:
        playback = self.controller.playback
        self.pages.setCurrentWidget(self.viewport if playback.has_picture else self.empty)
        info = playback.info
        parts = [translated(info.title)] if info is not None else []
        parts += [self.tr("Safe mode")] if self._safe else []
        # Qt puts the application's name behind every title that does not end with it, on X11 with this dash.
        self.setWindowTitle(" — ".join((*parts, "Lightloom")))
        self.refresh()

    def _on_rebuilt(self) -> None:
        if self.controller.engine.rebuilds:
            self.viewport.reconfigure()
            self.controller.messages.said.emit(self.tr("The graphics device was restarted"))
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
        snapshot = self.controller.engine.snapshot()
        self._count_drops(snapshot.stats)
        self.dock_area.update_figures()
        self.transport.update_time()
        self.overlay.draw()
        self.status.show_figures(snapshot, self.viewport.zoom)

    def _count_drops(self, stats: PipelineStats) -> None:
        source = self.controller.playback.source
        dropped = source.stats.dropped if source is not None else 0
        self._drops.add(time.monotonic(), stats.frames, dropped + stats.skipped)

    def say(self, text: str) -> None:
        """Show a word on the picture for a moment."""
        self.statusBar().showMessage(text, int(TOAST_S * 1000))
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
            # On the start page there is no picture.
            (self.viewport if self.viewport.isVisible() else self).setFocus()

    def use_theme(self, name: str) -> None:
        """Change the theme and keep it."""
        self.controller.settings.theme = name
        self._apply_theme()

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

    def use_language(self, code: str) -> None:
        """Keep another language, '' for the system's, which the next start speaks."""
        # The texts of a window are made once: making them anew would need a second way for each, which nothing else would test.
        self.controller.settings.language = code
        said = sentence("The language changes when Lightloom is started again.")
        text = in_language(language_of(code), said)
        self.notices.add(Notice("info", text))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the desktop's dark or light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange and self.controller.settings.theme == "system":
            self._apply_theme()
