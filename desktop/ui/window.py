"""The window: puts the parts together, owns the actions, and keeps overlay and figures up to date."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QIcon,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from desktop.compute.gpu.driver_faults import known_fault
from desktop.compute.media.sources.base import Source
from desktop.compute.models.builtin import title_of
from desktop.compute.present import place
from desktop.compute.presets.preset import save_preset
from desktop.compute.tasks.shapes import Label, Shape
from desktop.paths import user_filter_folder, user_pictures_folder, user_preset_folder
from desktop.resources import resource
from desktop.session import last_crash
from desktop.ui import icons
from desktop.ui import theme as themes
from desktop.ui.actions import Entry, KeyGuard, make_actions, native_text, plain_text
from desktop.ui.chain_panel import ChainPanel
from desktop.ui.controller import Controller, Notice
from desktop.ui.empty_state import EmptyState
from desktop.ui.language import LANGUAGES, in_language, language_of, translated
from desktop.ui.library_panel import LibraryPanel
from desktop.ui.network import sample_name
from desktop.ui.notices import Floor, NoticeBar
from desktop.ui.overlay import OverlayState, follows_picture, paint_overlay, placed
from desktop.ui.pages import LatePart, Pages
from desktop.ui.palette import Command, CommandPalette
from desktop.ui.rates import DropRate
from desktop.ui.safety import ask_report, start_again
from desktop.ui.sources_panel import SourcesPanel
from desktop.ui.stats_dock import StatsPanel, format_percentiles
from desktop.ui.transport import Transport
from desktop.ui.updates import Updates
from desktop.ui.viewport import Viewport
from desktop.ui.widgets import IconButton, Themed, format_time, heading, step_focus, tab_stops
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.compute.tasks.task import Result
    from desktop.ui.models_panel import ModelsPanel

_FIGURES_MS: Final = 250
_SHADERS_MS: Final = 500
_TOAST_S: Final = 1.6
_GLANCE_S: Final = 4.0
_RESIZED_MS: Final = 1000
# Behind the first picture, also where none comes.
_WARN_MS: Final = 3000
_MINIMUM: Final = (720, 440)
_FIRST_SIZE: Final = (1320, 820)
# Of the screen: a frame and a panel of the desktop need some of it.
_SHARE_OF_SCREEN: Final = 0.94
# Narrower than this the left panels fold away: with them the picture would have a third of the width.
_COMPACT_BELOW: Final = 1080
_LEFT: Final = ("sources", "library")
# Actions that need a time line.
_TRANSPORT: Final = (
    *("play", "step_back", "step_forward", "back_5", "forward_5", "back_1", "forward_1"),
    *("slower", "faster", "normal_speed", "loop_ab", "loop"),
)


def bundled_presets() -> dict[str, Path]:
    """Return the presets that travel with the program: name of the action -> file."""
    paths = sorted(resource("assets", "presets").glob("*.toml"))
    return {f"preset_{path.stem}": path for path in paths}


def own_presets() -> list[tuple[str, Path]]:
    """Return title and file of the presets in the user's folder, by title; those that came in one file have a folder of their own."""
    folder = user_preset_folder()
    saved = [(path.stem, path) for path in folder.glob("*.toml")]
    # Such a folder is called after the file and its checksum.
    imported = [(path.parent.name.rpartition("-")[0], path) for path in folder.glob("imported/*/preset.toml")]
    return sorted(saved + imported, key=lambda found: found[0].casefold())


def preset_title(path: Path) -> str:
    """Return what a bundled preset is called: `night_city.toml` is 'Night city'."""
    return path.stem.replace("_", " ").capitalize()


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
        self._diagnose = diagnose
        self.themed = Themed(themes.resolve(controller.settings.theme))
        themes.apply(app, self.themed.theme)
        # Before the canvas, whose library closes all canvases at that moment.
        app.aboutToQuit.connect(self.shutdown)
        self._down = False
        self._safe = False
        self._toast = ("", 0.0)
        self._glance_until = 0.0
        self._figures_key: tuple[float, ...] = ()
        self._figures_rows: tuple[tuple[str, str], ...] = ()
        self._before_full = QByteArray()
        self._coming_back = QTimer(self, singleShot=True, interval=_RESIZED_MS)
        self._followed: Result | None = None
        self._compact = False
        self._folded: tuple[str, ...] = ()
        self._drops = DropRate()
        self._overlay: tuple[OverlayState, tuple[int, int], float] | None = None
        self.setWindowTitle("Lightloom")
        self.setWindowIcon(QIcon(icons.pixmap("lightloom", "#000000", 128, 1.0)))
        room = self.screen().availableGeometry()
        self.setMinimumSize(min(_MINIMUM[0], room.width()), min(_MINIMUM[1], room.height()))
        self.setAcceptDrops(True)
        self._make_parts()
        self.actions_by_name = make_actions(self, self._entries())
        self._make_layout()
        self._make_menus()
        self._make_status_bar()
        self._connect()
        self._restore()
        self._apply_view()
        self._key_guard = KeyGuard(self)
        # Behind the parts and their first showing: it is asked about every event, and those send thousands.
        QTimer.singleShot(0, self, self._guard_keys)

    def _guard_keys(self) -> None:
        if not self._down:
            self._app.installEventFilter(self._key_guard)

    # -- the parts ---------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        controller, themed = self.controller, self.themed
        self.viewport = Viewport(controller.engine, controller.playback.take, self)
        self.notices = NoticeBar(themed)
        self.empty = EmptyState(themed)
        self.sources = SourcesPanel(controller, themed)
        self.updates = Updates(controller, self)
        self.library = LibraryPanel(controller, themed)
        self._networks = LatePart(self._make_networks)
        self.library_pages = Pages(
            ((self.tr("Filters"), self.library), (self.tr("Networks"), self._networks))
        )
        self.chain = ChainPanel(controller, themed)
        self.stats = StatsPanel(controller, themed)

    def _make_networks(self) -> ModelsPanel:
        from desktop.ui.models_panel import ModelsPanel

        return ModelsPanel(self.controller, self.themed)

    def _make_late_parts(self) -> None:
        if not self._down:
            self._networks.part()

    @property
    def networks(self) -> ModelsPanel:
        """The page of networks."""
        return self._networks.part()

    def _make_layout(self) -> None:
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.viewport)
        self.floor = Floor(self.pages, self.notices, native=self.viewport.present_method == "screen")
        self.setCentralWidget(self.floor)
        left, right, bottom = (
            Qt.DockWidgetArea.LeftDockWidgetArea,
            Qt.DockWidgetArea.RightDockWidgetArea,
            Qt.DockWidgetArea.BottomDockWidgetArea,
        )
        self.docks = {
            "sources": self._dock("sources", self.tr("Sources"), self.sources, left),
            "library": self._dock(
                "library", self.tr("Library"), self.library_pages, left, self.library_pages.header
            ),
            "chain": self._dock("chain", self.tr("Chain"), self.chain, right, self.chain.header),
            "stats": self._dock("stats", self.tr("Statistics"), self.stats, bottom),
        }
        self.docks["stats"].hide()
        self.resizeDocks([self.docks["sources"], self.docks["library"]], [230, 470], Qt.Orientation.Vertical)
        self.resizeDocks([self.docks["library"], self.docks["chain"]], [250, 330], Qt.Orientation.Horizontal)
        self.setCorner(Qt.Corner.BottomLeftCorner, left)
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        self.transport = Transport(self.controller, self.themed, self.actions_by_name)
        bar = QToolBar(self.tr("Playback"))
        bar.setObjectName("playback")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.toggleViewAction().setVisible(False)
        bar.addWidget(self.transport)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bar)
        self._bar = bar
        overflow = bar.findChild(QToolButton, "qt_toolbar_ext_button")
        if overflow is not None:
            overflow.setAccessibleName(self.tr("More"))

    def _dock(
        self, name: str, title: str, content: QWidget, area: Qt.DockWidgetArea, header: QWidget | None = None
    ) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(content)
        content.setAccessibleName(title)
        if header is None:
            header = QWidget()
            header.setObjectName("panel")
            header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            row = QHBoxLayout(header)
            row.setContentsMargins(12, 6, 8, 4)
            row.addWidget(heading(title))
            row.addStretch(1)
            if name == "stats":
                close = IconButton(self.themed, "close", self.tr("Hide the statistics"))
                close.clicked.connect(dock.hide)
                row.addWidget(close)
        dock.setTitleBarWidget(header)
        self.addDockWidget(area, dock)
        return dock

    def _make_status_bar(self) -> None:
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        self._busy = QProgressBar()
        self._busy.setRange(0, 0)
        self._busy.setFixedWidth(80)
        self._busy.setTextVisible(False)
        self._busy.setAccessibleName(self.tr("Busy"))
        self._busy_text = QLabel()
        self._cancel = QToolButton()
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.clicked.connect(self.controller.playback.cancel)
        for icon, name, tip in (
            ("panel_left", "left_panels", self.tr("Sources and library (Ctrl+B)")),
            ("panel_right", "chain_panel", self.tr("Chain (Ctrl+Shift+B)")),
        ):
            button = IconButton(self.themed, icon, tip, checkable=True)
            action = self.actions_by_name[name]
            action.toggled.connect(button.setChecked)
            button.clicked.connect(action.trigger)
            status.addWidget(button)
        for widget in (self._busy, self._busy_text, self._cancel):
            status.addWidget(widget)
            widget.hide()
        self._recording = QLabel()
        self._recording.setObjectName("recording")
        self._rate = QLabel()
        self._rate.setAccessibleName(self.tr("Frame rate"))
        self._zoom = QLabel()
        self.adapter_button = QToolButton()
        self.adapter_button.setObjectName("flat")
        self.adapter_button.clicked.connect(self.show_adapters)
        for widget in (self._recording, self._rate, self._zoom, self.adapter_button):
            status.addPermanentWidget(widget)

    def _connect(self) -> None:
        controller, viewport, actions = self.controller, self.viewport, self.actions_by_name
        playback = controller.playback
        playback.woken.connect(viewport.wake)
        controller.progressed.connect(viewport.wake)
        controller.engine_rebuilt.connect(self._on_rebuilt)
        playback.changed.connect(self._on_source)
        playback.moved.connect(self.refresh)
        controller.notice.connect(self.notices.add)
        controller.settled.connect(self.notices.settle)
        self.floor.covered_changed.connect(self._draw_overlay)
        playback.opened.connect(self.notices.forget_sources)
        controller.said.connect(self.say)
        controller.setup_changed.connect(self._on_setup)
        controller.recording_changed.connect(self._on_recording)
        controller.clipboard_changed.connect(self._on_clipboard)
        viewport.presented.connect(self.first_picture)
        self.first_picture.connect(lambda: QTimer.singleShot(0, self, self._make_late_parts))
        viewport.drawn.connect(controller.on_drawn)
        viewport.drawing.connect(self._follow_objects)
        viewport.view_changed.connect(self._on_view)
        viewport.failed.connect(lambda text: self.notices.add(Notice("error", translated(text))))
        viewport.context_menu.connect(self._show_viewer_menu)
        self.chain.open_file.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))
        self.chain.library_asked.connect(self.search_library)
        self.library.added.connect(self.chain.focus_stage)
        self.chain.input_asked.connect(lambda *given: self.networks.ask_input(*given))
        controller.input_unclear.connect(lambda *given: self.networks.show_input(*given))
        self.empty.open_asked.connect(self.sources.ask_file)
        self.empty.camera_asked.connect(self.sources.open_camera)
        self.empty.sample_asked.connect(controller.open_sample)
        self.docks["stats"].visibilityChanged.connect(actions["stats"].setChecked)
        self.updates.weekly_changed.connect(actions["weekly_updates"].setChecked)
        for dock in self.docks.values():
            dock.visibilityChanged.connect(self._mark_panels)
        self._figures = QTimer(self)
        self._figures.setInterval(_FIGURES_MS)
        self._figures.timeout.connect(self.refresh)
        self._shaders = QTimer(self)
        self._shaders.setInterval(_SHADERS_MS)
        self._shaders.timeout.connect(controller.look_at_shaders)
        self._on_setup()
        self._on_source()
        self._on_rebuilt()

    # -- the actions -------------------------------------------------------------------------------------------------

    def _entries(self) -> list[Entry]:
        c, p = self.controller, self.controller.playback
        tr = self.tr
        return [
            Entry("open", tr("&Open..."), ("Ctrl+O",), self.sources.ask_file),
            Entry("open_folder", tr("Open a &folder of images..."), (), self.sources.ask_folder),
            Entry("open_address", tr("Open a &stream..."), ("Ctrl+U",), self.sources.ask_address),
            Entry("open_camera", tr("Open a &camera"), (), self.sources.open_camera),
            Entry("open_sample", tr("Play the s&ample"), (), c.open_sample),
            Entry("close_source", tr("&Close the source"), ("Ctrl+W",), p.stop),
            Entry("load_preset", tr("Open a &preset..."), ("Ctrl+Shift+O",), self.ask_preset),
            Entry("save_preset", tr("Save the chain as a p&reset..."), ("Ctrl+S",), self.ask_preset_name),
            Entry(
                "export_preset",
                tr("E&xport the chain as one file..."),
                ("Ctrl+Shift+S",),
                self.ask_export_name,
            ),
            Entry("snapshot", tr("S&napshot"), ("S",), c.snapshot),
            Entry("record", tr("&Record"), ("Ctrl+R",), c.toggle_recording, True),
            Entry("record_as", tr("Record to a &file..."), (), self.ask_recording_name),
            Entry("clear_recent", tr("Clear the list"), (), self._clear_recent),
            Entry("quit", tr("&Quit"), ("Ctrl+Q",), self.close),
            Entry("undo", tr("&Undo"), ("Ctrl+Z",), c.undo),
            Entry("redo", tr("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), c.redo),
            Entry("copy_picture", tr("Copy the &picture"), ("Ctrl+Shift+C",), c.copy_picture),
            Entry("copy_chain", tr("&Copy all filters"), (), lambda: c.copy_stages(())),
            Entry("paste", tr("&Paste filters"), ("Ctrl+V",), c.paste_stages),
            Entry("clear_chain", tr("C&lear the chain"), (), c.clear_chain),
            Entry("fit", tr("&Fit"), ("0",), self.viewport.fit),
            Entry("one_to_one", tr("&1:1"), ("1",), lambda: self.viewport.zoom_to(1.0)),
            Entry("zoom_in", tr("Zoom &in"), ("+", "="), lambda: self.viewport.zoom_by(1)),
            Entry("zoom_out", tr("Zoom &out"), ("-",), lambda: self.viewport.zoom_by(-1)),
            Entry("split", tr("&Before and after"), ("B",), self.toggle_split, True),
            Entry("mirror", tr("&Mirror the preview"), ("M",), self.toggle_mirror, True),
            Entry("glance", tr("Show the performance overlay &briefly"), ("I",), self.glance),
            Entry("pin_figures", tr("Pin the performance &overlay"), ("Shift+I",), self.toggle_figures, True),
            Entry("stats", tr("&Statistics"), ("Ctrl+I",), self.toggle_stats, True),
            Entry("left_panels", tr("&Sources and library"), ("Ctrl+B",), self.toggle_left, True),
            Entry("chain_panel", tr("C&hain"), ("Ctrl+Shift+B",), self.toggle_chain, True),
            Entry("full_screen", tr("F&ull screen"), ("F", "F11"), self.toggle_full_screen, True),
            Entry("adapter", tr("Graphics &adapter..."), (), self.show_adapters),
            Entry("reset_docks", tr("Reset the &panels"), (), self.reset_docks),
            Entry("lock_docks", tr("&Lock the panels"), (), self._lock_docks, True),
            Entry("theme_system", tr("Follow the &system"), (), lambda: self.use_theme("system"), True),
            Entry("theme_dark", tr("&Dark"), (), lambda: self.use_theme("dark"), True),
            Entry("theme_light", tr("&Light"), (), lambda: self.use_theme("light"), True),
            Entry("language_system", tr("As the &system"), (), lambda: self.use_language(""), True),
            *(
                Entry(f"language_{code}", name, (), partial(self.use_language, code), True)
                for code, name in LANGUAGES.items()
            ),
            Entry("play", tr("&Play or pause"), ("Space", "P"), p.toggle),
            Entry("back_5", tr("Back 5 s"), ("Left",), lambda: self._seek_by(-5)),
            Entry("forward_5", tr("Forward 5 s"), ("Right",), lambda: self._seek_by(5)),
            Entry("back_1", tr("Back 1 s"), ("Shift+Left",), lambda: self._seek_by(-1)),
            Entry("forward_1", tr("Forward 1 s"), ("Shift+Right",), lambda: self._seek_by(1)),
            Entry("step_back", tr("Pre&vious frame"), (",",), lambda: p.step(-1)),
            Entry("step_forward", tr("Ne&xt frame"), (".",), lambda: p.step(1)),
            Entry("slower", tr("&Slower"), ("[",), lambda: self._speed(-1)),
            Entry("faster", tr("&Faster"), ("]",), lambda: self._speed(1)),
            Entry("normal_speed", tr("&Normal speed"), ("Backspace",), lambda: self._speed(0)),
            Entry("loop_ab", tr("&A-B loop: set A, then B"), ("L",), self._mark_loop, True),
            Entry("loop", tr("&Loop"), ("Shift+L",), p.toggle_loop, True),
            Entry("search", tr("&Search the library"), ("Ctrl+F", "/"), self.search_library),
            Entry("networks", tr("Net&works"), ("Ctrl+Shift+M",), self.show_networks),
            Entry("open_model", tr("Open a &network..."), ("Ctrl+M",), lambda: self.networks.ask_model()),
            Entry("remove_network", tr("&Remove the network"), (), lambda: c.set_network(None)),
            Entry("favourite", tr("Toggle fa&vourite"), ("Ctrl+D",), self._toggle_favourite),
            Entry("shader_folder", tr("Open my shader &folder"), (), self._open_shader_folder),
            Entry("palette", tr("&Commands..."), ("Ctrl+K", "Ctrl+Shift+P"), self.show_palette),
            Entry("help", tr("&Guide"), ("F1",), self.show_help),
            Entry("keys", tr("&Keyboard shortcuts"), ("?",), self.show_keys),
            Entry("report", tr("Save a &report of a problem..."), (), self.save_report),
            Entry("check_updates", tr("Check for &updates..."), (), self.updates.check),
            Entry(
                "weekly_updates", tr("Check for updates once a &week"), (), self.updates.toggle_weekly, True
            ),
            Entry("about", tr("&About Lightloom"), (), self.show_about),
            *(
                Entry(name, translated(preset_title(path)), (), partial(c.load_preset, path))
                for name, path in bundled_presets().items()
            ),
        ]

    def _groups(self) -> list[tuple[str, list[str]]]:
        tr = self.tr
        return [
            (
                tr("&File"),
                [
                    *(
                        "open",
                        "open_folder",
                        "open_address",
                        "open_camera",
                        "open_sample",
                        "recent",
                        "close_source",
                        "",
                    ),
                    *(
                        "load_preset",
                        "save_preset",
                        "export_preset",
                        "",
                        "snapshot",
                        "record",
                        "record_as",
                        "",
                        "quit",
                    ),
                ],
            ),
            (tr("&Edit"), ["undo", "redo", "", "copy_picture", "", "copy_chain", "paste", "clear_chain"]),
            (
                tr("&View"),
                [
                    *(
                        "fit",
                        "one_to_one",
                        "zoom_in",
                        "zoom_out",
                        "",
                        "split",
                        "mirror",
                        "",
                        "glance",
                        "pin_figures",
                        "stats",
                    ),
                    *(
                        "",
                        "full_screen",
                        "panels",
                        "lock_docks",
                        "reset_docks",
                        "",
                        "theme",
                        "language",
                        "adapter",
                    ),
                ],
            ),
            (
                tr("&Playback"),
                [
                    *(
                        "play",
                        "step_back",
                        "step_forward",
                        "",
                        "back_5",
                        "forward_5",
                        "back_1",
                        "forward_1",
                        "",
                    ),
                    *("slower", "faster", "normal_speed", "", "loop_ab", "loop"),
                ],
            ),
            (
                tr("F&ilters"),
                [
                    "search",
                    "favourite",
                    "presets",
                    "",
                    "networks",
                    "open_model",
                    "remove_network",
                    "",
                    "shader_folder",
                ],
            ),
            (
                tr("&Help"),
                [
                    *("help", "keys", "palette", ""),
                    *("check_updates", "weekly_updates", "", "report", "about"),
                ],
            ),
        ]

    def _make_menus(self) -> None:
        for title, names in self._groups():
            menu = self.menuBar().addMenu(title)
            for name in names:
                self._add_to(menu, name)

    def _add_to(self, menu: QMenu, name: str) -> None:
        if not name:
            menu.addSeparator()
        elif name == "recent":
            self._recent = menu.addMenu(self.tr("R&ecent"))
            self._recent.aboutToShow.connect(self._fill_recent)
        elif name == "panels":
            panels = menu.addMenu(self.tr("&Panels"))
            panels.addActions([self.actions_by_name["left_panels"], self.actions_by_name["chain_panel"]])
            panels.addSeparator()
            for dock in self.docks.values():
                panels.addAction(dock.toggleViewAction())
        elif name == "presets":
            self._presets = menu.addMenu(self.tr("&Presets"))
            self._presets.aboutToShow.connect(self._fill_presets)
        elif name == "theme":
            theme = menu.addMenu(self.tr("&Theme"))
            for key in ("theme_system", "theme_dark", "theme_light"):
                theme.addAction(self.actions_by_name[key])
        elif name == "language":
            # In English too: who cannot read the others finds it by that word.
            title = self.tr("Lan&guage")
            if "Language" not in plain_text(title):
                title += " (Language)"
            language = menu.addMenu(title)
            for key in ("system", *LANGUAGES):
                language.addAction(self.actions_by_name[f"language_{key}"])
        else:
            menu.addAction(self.actions_by_name[name])

    def _fill_recent(self) -> None:
        self._recent.clear()
        for name in self.controller.settings.recent:
            action = self._recent.addAction(name)
            action.triggered.connect(lambda _=False, n=name: self.controller.open(n))
        self._recent.setEnabled(True)
        self._recent.addSeparator()
        self._recent.addAction(self.actions_by_name["clear_recent"])

    def _fill_presets(self) -> None:
        self._presets.clear()
        for title, path in own_presets():
            action = self._presets.addAction(title.replace("&", "&&"))
            action.triggered.connect(lambda _=False, p=path: self.controller.load_preset(p))
        self._presets.addSeparator()
        for key in bundled_presets():
            self._presets.addAction(self.actions_by_name[key])

    def _clear_recent(self) -> None:
        self.controller.settings.clear_recent()
        self.sources.refresh()

    def _show_viewer_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in (
            "play",
            "",
            "fit",
            "one_to_one",
            "split",
            "mirror",
            "",
            "snapshot",
            "copy_picture",
            "record",
            "",
            "full_screen",
        ):
            self._add_to(menu, name)
        menu.popup(at)

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
            self.controller.tell("warning", self.controller.settings.problem)
        self._figures.start()
        self._shaders.start()
        QTimer.singleShot(_WARN_MS, self, self._tell_driver_fault)
        if preset is not None:
            self.controller.load_preset(preset)
        if paths:
            self.controller.drop(paths, on_sample=True)
        elif sample is not None:
            self.controller.playback.adopt(sample_name(self.controller.adapter), sample)
        elif not empty:
            self.controller.open_sample()
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

    def save_report(self) -> None:
        """Let the user save a report of a problem."""
        controller, crash = self.controller, last_crash()
        setup, library = controller.setup, controller.library
        ask_report(
            self,
            controller.jobs,
            lambda text, path: controller.tell("info", text, path),
            lambda text: controller.tell("error", text),
            crash=crash.folder if crash is not None else None,
            setup=lambda path: save_preset(setup, library, path),
        )

    def _begin(self) -> None:
        """Show a new user what this is: the sample through a filter beside the picture as it was, and where to find the rest."""
        if self.controller.begin():
            self.viewport.set_split(0.5)
        if not self.controller.settings.hinted:
            self.controller.settings.hinted = True
            self.controller.tell(
                "hint",
                self.tr(
                    "Drag the line to compare before and after, and drop your own video on the window. "
                    "Ctrl+K finds every command, ? lists the keys, F1 opens the guide."
                ),
            )

    def _restore(self) -> None:
        settings = self.controller.settings
        room = self.screen().availableGeometry()
        width, height = (round(side * _SHARE_OF_SCREEN) for side in (room.width(), room.height()))
        self.resize(min(_FIRST_SIZE[0], width), min(_FIRST_SIZE[1], height))
        # Broken entries are refused by Qt, and the defaults stay.
        self.restoreGeometry(settings.geometry)
        self.restoreState(settings.docks)
        self._fit_panels()
        self.actions_by_name["pin_figures"].setChecked(settings.show_stats)
        self.actions_by_name["weekly_updates"].setChecked(bool(settings.weekly_updates))
        self._mark_theme()
        self._mark_language()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the window's state and stop."""
        if not self.isFullScreen():
            self.controller.settings.geometry = self.saveGeometry()
            # Panels that only this size folded away are to be there in a larger window.
            self._unfold()
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
        self.sources.close_watcher()
        if self._networks.is_made:
            self.networks.close_downloads()
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
        self.controller.drop(specs)

    # -- following the state -----------------------------------------------------------------------------------------

    def _on_source(self) -> None:
        playback = self.controller.playback
        self.pages.setCurrentWidget(self.viewport if playback.has_picture else self.empty)
        info = playback.info
        for name in _TRANSPORT:
            self.actions_by_name[name].setEnabled(playback.seekable is not None)
        self.actions_by_name["close_source"].setEnabled(playback.source is not None)
        parts = [translated(info.title)] if info is not None else []
        parts += [self.tr("Safe mode")] if self._safe else []
        # Qt puts the application's name behind every title that does not end with it, on X11 with this dash.
        self.setWindowTitle(" — ".join((*parts, "Lightloom")))
        self._on_busy()
        self.refresh()

    def _on_busy(self) -> None:
        playback = self.controller.playback
        opening = playback.is_opening
        loading = self.controller.engine.network_status.state == "loading"
        text = (
            self.tr("Opening...")
            if opening
            else translated(self.controller.engine.network_status.text)
            if loading
            else ""
        )
        self._busy.setVisible(opening or loading)
        self._busy_text.setVisible(opening or loading)
        self._busy_text.setText(Path(text).name if loading and not opening else text)
        self._cancel.setVisible(opening)

    def _on_setup(self) -> None:
        history, actions = self.controller.history, self.actions_by_name
        for name, label, word in (
            ("undo", history.undo_label, self.tr("&Undo")),
            ("redo", history.redo_label, self.tr("&Redo")),
        ):
            actions[name].setEnabled(bool(label))
            actions[name].setText(f"{word} {label}".strip())
        actions["remove_network"].setEnabled(self.controller.setup.network is not None)
        for name in ("copy_chain", "clear_chain"):
            actions[name].setEnabled(bool(self.controller.chain.stages))
        self._on_clipboard()

    def _on_clipboard(self) -> None:
        self.actions_by_name["paste"].setEnabled(bool(self.controller.clipboard))

    def _on_rebuilt(self) -> None:
        if self.controller.engine.rebuilds:
            self.viewport.reconfigure()
            self.controller.said.emit(self.tr("The graphics device was restarted"))
            self._tell_driver_fault()
        adapter = self.controller.adapter
        self.adapter_button.setText(f"{adapter.name} · {adapter.backend}")
        self.adapter_button.setAccessibleName(self.tr("Graphics adapter: {0}").format(adapter))
        choose = self.tr("The graphics adapter in use; click to choose another")
        fault = self._driver_fault()
        self.adapter_button.setToolTip(f"{fault}\n\n{choose}" if fault else choose)

    def _driver_fault(self) -> str:
        """What is known to be wrong with the driver in use, in a sentence; '' for nothing."""
        adapter = self.controller.adapter
        fault = known_fault(adapter)
        if fault is None:
            return ""
        text = self.tr(
            "{driver} loses memory with larger filters, up to {rate} MB a second, and ends loops in shaders after {rounds} rounds. "
            "Install {name} {version} or newer, which is faster too ({system}: {command})."
        )
        system, command = fault.install
        return text.format(
            driver=adapter.driver,
            rate=fault.loses_memory,
            rounds=fault.loop_rounds,
            name=fault.driver,
            version=fault.mended_text,
            system=system,
            command=command,
        )

    def _tell_driver_fault(self) -> None:
        """Warn of a driver with a known fault, once for each of its versions."""
        adapter, settings = self.controller.adapter, self.controller.settings
        name, told = f"{adapter.name}, {adapter.driver}", settings.drivers_told
        text = self._driver_fault()
        if text and name not in told and not self._down:
            settings.drivers_told = [*told, name]
            self.controller.tell("warning", text)

    def _on_recording(self) -> None:
        self.actions_by_name["record"].setChecked(self.controller.recording is not None)
        self.refresh()

    def _on_view(self) -> None:
        view = self.viewport.view
        self.actions_by_name["split"].setChecked(view.split is not None)
        self.actions_by_name["mirror"].setChecked(view.mirrored)
        self._draw_overlay()
        self._show_zoom()

    def refresh(self) -> None:
        """Bring figures, states and overlay up to date."""
        if self._down:
            return
        self.controller.look_at_stages()
        self.chain.update_figures()
        self.transport.update_time()
        if self.stats.isVisible():
            self.stats.update_figures()
        self._on_busy()
        self._draw_overlay()
        recording = self.controller.recording
        self._recording.setText(f"● {format_time(recording.seconds)}" if recording is not None else "")
        self._show_zoom()
        self._show_rate()

    def _show_zoom(self) -> None:
        controller = self.controller
        shown = controller.playback.has_picture and controller.engine.pipeline.has_picture
        self._zoom.setText(f"{self.viewport.zoom * 100:.0f} %" if shown else "")

    def _show_rate(self) -> None:
        stats = self.controller.engine.pipeline.stats
        playback = self.controller.playback
        source = playback.source
        dropped = source.stats.dropped if source is not None else 0
        self._drops.add(time.monotonic(), stats.frames, dropped + stats.skipped)
        # A still image comes once; a rate would say nothing of it.
        moving = source is not None and playback.has_picture and source.info.kind != "image"
        self._rate.setText(self.tr("{0} FPS").format(f"{stats.fps:.0f}") if moving else "")
        self._rate.setToolTip(
            self.tr("Pictures a second. {0} of the last seconds' pictures were dropped.").format(
                f"{self._drops.share * 100:.1f} %"
            )
        )

    def say(self, text: str) -> None:
        """Show a word on the picture for a moment."""
        self._toast = (text, time.monotonic() + _TOAST_S)
        self.statusBar().showMessage(text, int(_TOAST_S * 1000))
        self._draw_overlay()
        QTimer.singleShot(int(_TOAST_S * 1000) + 20, self, self._draw_overlay)

    # -- the overlay -------------------------------------------------------------------------------------------------

    def overlay_state(self) -> OverlayState:
        """Return what the overlay is to show now."""
        now = time.monotonic()
        figures = self.actions_by_name["pin_figures"].isChecked() or now < self._glance_until
        playback = self.controller.playback
        recording = self.controller.recording
        bars, title = self._bars()
        waiting = ""
        if playback.source is not None and playback.source.state in ("opening", "asking", "reconnecting"):
            waiting = self.tr("Opening {0}").format(translated(playback.source.info.title))
        return OverlayState(
            rows=self._rows() if figures and playback.source is not None else (),
            bars=bars,
            bars_title=title,
            found=self._found(),
            toast=self._toast[0] if now < self._toast[1] else "",
            split=self.viewport.view.split,
            split_labels=(self.tr("before"), self.tr("after")),
            recording=format_time(recording.seconds) if recording is not None else "",
            waiting=waiting,
            top=self.floor.covered,
            margin=self._below_the_picture(),
        )

    def _below_the_picture(self) -> int:
        picture, target = self.controller.engine.pipeline.picture_size, self.viewport.device_size
        if not picture[0]:
            return 0
        at = place(self.viewport.view, picture, target)
        free = (target[1] - at.y - at.zoom * picture[1]) / self.viewport.devicePixelRatioF()
        return max(0, round(free))

    def _rows(self) -> tuple[tuple[str, str], ...]:
        stats = self.controller.engine.pipeline.stats
        # Drawing the overlay is itself timed: without a new picture the figures would change each other for ever.
        key = (stats.frames, round(stats.fps, 1), round(self._drops.share, 3))
        if key == self._figures_key:
            return self._figures_rows
        if stats.gpu_ms is not None:
            gpu = (self.tr("GPU"), f"{stats.gpu_ms:.2f} ms")
        else:
            gpu = (self.tr("CPU"), f"{stats.cpu_ms:.2f} ms")
        self._figures_key = key
        self._figures_rows = (
            (self.tr("FPS"), f"{stats.fps:.1f}"),
            (self.tr("latency p50 / p95 / p99"), format_percentiles(stats.latency_ms)),
            gpu,
            (self.tr("dropped"), f"{self._drops.share * 100:.1f} %"),
        )
        return self._figures_rows

    def _bars(self) -> tuple[tuple[Label, ...], str]:
        network = self.controller.setup.network
        labels = [shape for shape in self._shapes() if isinstance(shape, Label)]
        if network is None or not labels:
            return (), ""
        bars = tuple(replace(label, value=round(label.value, 2)) for label in labels)
        return bars, translated(title_of(Path(network.model)))

    def _shapes(self) -> tuple[Shape, ...]:
        latest = self.controller.engine.pipeline.latest
        return latest.shapes() if latest is not None and self.controller.setup.network is not None else ()

    def _found(self) -> tuple[Shape, ...]:
        picture, view = self.controller.engine.pipeline.picture_size, self.viewport.view
        if not picture[0]:
            return ()
        at = place(view, picture, self.viewport.device_size)
        return placed(self._shapes(), at, picture, mirrored=view.mirrored)

    def _follow_objects(self) -> None:
        # Shapes go with the picture; the words about all of it, which are read, change four times a second.
        latest = self.controller.engine.pipeline.latest
        if latest is not self._followed and (follows_picture(latest) or follows_picture(self._followed)):
            self._followed = latest
            # With the picture that is about to be drawn: a pass of its own would draw everything twice.
            self._draw_overlay(redraw=False)

    def _draw_overlay(self, *, redraw: bool = True) -> None:
        if self._down:
            return
        state = (self.overlay_state(), self.viewport.device_size, self.viewport.devicePixelRatioF())
        if state != self._overlay:
            self._overlay = state
            (width, height), scale = state[1], state[2]
            self.viewport.set_overlay(paint_overlay(state[0], width, height, scale), redraw=redraw)

    # -- what the actions do -----------------------------------------------------------------------------------------

    def toggle_split(self) -> None:
        """Show before and after, or only after."""
        self.viewport.set_split(0.5 if self.viewport.view.split is None else None)

    def toggle_mirror(self) -> None:
        """Flip the preview."""
        self.viewport.set_mirrored(not self.viewport.view.mirrored)

    def toggle_figures(self) -> None:
        """Pin the figures on the picture, or take them away."""
        self.controller.settings.show_stats = self.actions_by_name["pin_figures"].isChecked()
        self._draw_overlay()

    def glance(self) -> None:
        """Show the figures for a moment."""
        self._glance_until = time.monotonic() + _GLANCE_S
        self._draw_overlay()

    def toggle_stats(self) -> None:
        """Show or hide the statistics."""
        self.docks["stats"].setVisible(not self.docks["stats"].isVisible())
        # The window may be smaller than the panels with this one; they would then lie over each other.
        QTimer.singleShot(0, self, self._grow_to_fit)

    def _grow_to_fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            self.resize(self.size().expandedTo(layout.minimumSize()))

    def toggle_full_screen(self) -> None:
        """Nothing but the picture, or the window again."""
        full = not self.isFullScreen()
        if full and not self._coming_back.isActive():
            self._before_full = self.saveState()
        for widget in (self.menuBar(), self.statusBar(), self._bar, *self.docks.values()):
            widget.setVisible(not full)
        # Not showNormal: a window that was maximised is to be so again.
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        self._coming_back.stop()
        if not full:
            self.restoreState(self._before_full)
            self._coming_back.start()
        self._apply_view()
        self.actions_by_name["full_screen"].setChecked(full)
        self.viewport.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the panels out again on the way back from full screen.

        The window system gives the size back some time after it was asked to, and panels that were laid out in the large window would
        be shrunk with it, each by its share.
        """
        super().resizeEvent(event)
        if self._coming_back.isActive():
            self.restoreState(self._before_full)
        else:
            self._fit_panels()

    def _fit_panels(self) -> None:
        """Fold the left panels away where the window is narrow, and bring those back once it is wide again."""
        compact = self.width() < _COMPACT_BELOW
        if compact == self._compact or self.isFullScreen():
            return
        self._compact = compact
        if compact:
            self._folded = tuple(name for name in _LEFT if not self.docks[name].isHidden())
            for name in self._folded:
                self.docks[name].hide()
        else:
            self._unfold()

    def _unfold(self) -> None:
        for name in self._folded:
            self.docks[name].show()
        self._folded = ()

    def toggle_left(self) -> None:
        """Show the sources and the library, or hide both."""
        shown = any(not self.docks[name].isHidden() for name in _LEFT)
        self._folded = ()
        for name in _LEFT:
            self.docks[name].setVisible(not shown)

    def toggle_chain(self) -> None:
        """Show the chain, or hide it."""
        self.docks["chain"].setVisible(self.docks["chain"].isHidden())

    def _mark_panels(self) -> None:
        self.actions_by_name["left_panels"].setChecked(any(not self.docks[name].isHidden() for name in _LEFT))
        self.actions_by_name["chain_panel"].setChecked(not self.docks["chain"].isHidden())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Let the Tab key follow the eye: left, middle, right, then what lies below."""
        docks = self.docks
        parts = (
            *(docks["sources"], docks["library"], self.centralWidget(), docks["chain"], docks["stats"]),
            *(self._bar, self.statusBar()),
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
        """Escape leaves full screen."""
        if event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.toggle_full_screen()
            return
        super().keyPressEvent(event)

    def _seek_by(self, seconds: float) -> None:
        playback = self.controller.playback
        playback.seek_by(seconds)
        if playback.seekable is not None:
            self.say(f"{'+' if seconds > 0 else '−'}{abs(seconds):g} s")

    def _speed(self, direction: int) -> None:
        playback = self.controller.playback
        if direction:
            playback.nudge_speed(direction)
        else:
            playback.set_speed(1.0)
        if playback.seekable is not None:
            self.say(self.tr("Speed {0}×").format(f"{playback.speed:g}"))

    def _mark_loop(self) -> None:
        playback = self.controller.playback
        playback.mark_loop()
        a, b = playback.loop_a, playback.loop_b
        if a is None:
            self.say(self.tr("A-B loop off"))
        elif b is None:
            self.say(self.tr("A at {0}").format(format_time(a, millis=True)))
        else:
            self.say(
                self.tr("Loop {0} to {1}").format(format_time(a, millis=True), format_time(b, millis=True))
            )

    def search_library(self) -> None:
        """Put the cursor in the library's search."""
        self.docks["library"].show()
        self.library_pages.setCurrentWidget(self.library)
        self.library.search.setFocus()
        self.library.search.selectAll()

    def show_networks(self) -> None:
        """Put the cursor in the search of the networks."""
        self.docks["library"].show()
        self.library_pages.setCurrentWidget(self._networks)
        self.networks.search.setFocus()
        self.networks.search.selectAll()

    def _toggle_favourite(self) -> None:
        name = self.library.current_filter()
        if name is not None:
            self.library.toggle_favourite(name)

    def _open_shader_folder(self) -> None:
        folder = user_filter_folder()
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def ask_preset(self) -> None:
        """Let the user choose a preset."""
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Open a preset"), str(user_preset_folder()), self.tr("Presets (*.toml *.lightloom)")
        )
        if path:
            self.controller.load_preset(Path(path))

    def ask_preset_name(self) -> None:
        """Let the user choose where to save the chain."""
        folder = user_preset_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save the chain as a preset"), str(folder), self.tr("Presets (*.toml)")
        )
        target = self._completed(path, (".toml",))
        if target is not None:
            self.controller.save_preset(target)

    def ask_export_name(self) -> None:
        """Let the user choose where to put the chain with its shaders, tables and networks in one file."""
        path, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Export the chain as one file"),
            self.controller.settings.folder,
            self.tr("Presets in one file (*.lightloom)"),
        )
        target = self._completed(path, (".lightloom",))
        if target is not None:
            self.controller.save_preset(target)

    def ask_recording_name(self) -> None:
        """Let the user choose where to record to, and begin; MP4 or WebM by the ending."""
        from desktop.compute.outputs.export import VIDEO_SUFFIXES

        path, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Record to a file"),
            str(user_pictures_folder()),
            self.tr("Videos (*.mp4 *.webm *.mkv)"),
        )
        target = self._completed(path, VIDEO_SUFFIXES)
        if target is not None and self.controller.recording is None:
            self.controller.toggle_recording(target)

    def _completed(self, path: str, endings: Sequence[str]) -> Path | None:
        """A name from a dialog, with the first of `endings` where it has none of them ("v1.2" has none).

        The dialog asked before it took a name that is there, but not about the one with the ending. None where the user keeps that file.
        """
        target = Path(path)
        if not path or target.suffix.lower() in endings:
            return target if path else None
        target = target.with_name(target.name + endings[0])
        buttons = QMessageBox.StandardButton
        question = self.tr("{0} is there already. Replace it?").format(target.name)
        if target.exists() and QMessageBox.question(self, self.tr("Save"), question) != buttons.Yes:
            return None
        return target

    def use_theme(self, name: str) -> None:
        """Change the theme and keep it."""
        self.controller.settings.theme = name
        self._apply_theme()

    def use_language(self, code: str) -> None:
        """Keep another language, '' for the system's, which the next start speaks."""
        # The texts of a window are made once: making them anew would need a second way for each, which nothing else would test.
        self.controller.settings.language = code
        self._mark_language()
        said = sentence("The language changes when Lightloom is started again.")
        text = in_language(language_of(code), said)
        self.notices.add(Notice("info", text))

    def _mark_language(self) -> None:
        chosen = self.controller.settings.language
        for code in ("", *LANGUAGES):
            self.actions_by_name[f"language_{code or 'system'}"].setChecked(chosen == code)

    def _apply_theme(self) -> None:
        theme = themes.resolve(self.controller.settings.theme)
        themes.apply(self._app, theme)
        self.themed.set(theme)
        self._mark_theme()
        self._apply_view()

    def _mark_theme(self) -> None:
        for name in ("system", "dark", "light"):
            self.actions_by_name[f"theme_{name}"].setChecked(self.controller.settings.theme == name)

    def _apply_view(self) -> None:
        # Beside the picture nothing is to shine where nothing else is shown.
        background = (0.0, 0.0, 0.0) if self.isFullScreen() else self.themed.theme.viewer
        self.viewport.view = replace(self.viewport.view, background=background)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the desktop's dark or light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange and self.controller.settings.theme == "system":
            self._apply_theme()

    def reset_docks(self) -> None:
        """Put all panels where they were at first."""
        for name, area in (
            ("sources", Qt.DockWidgetArea.LeftDockWidgetArea),
            ("library", Qt.DockWidgetArea.LeftDockWidgetArea),
            ("chain", Qt.DockWidgetArea.RightDockWidgetArea),
            ("stats", Qt.DockWidgetArea.BottomDockWidgetArea),
        ):
            dock = self.docks[name]
            dock.setFloating(False)
            self.addDockWidget(area, dock)
            dock.setVisible(name != "stats")
        self.resizeDocks([self.docks["sources"], self.docks["library"]], [230, 470], Qt.Orientation.Vertical)
        self.resizeDocks([self.docks["library"], self.docks["chain"]], [250, 330], Qt.Orientation.Horizontal)

    def _lock_docks(self) -> None:
        locked = self.actions_by_name["lock_docks"].isChecked()
        feature = QDockWidget.DockWidgetFeature
        free = feature.DockWidgetClosable | feature.DockWidgetMovable | feature.DockWidgetFloatable
        for dock in self.docks.values():
            dock.setFeatures(feature.DockWidgetClosable if locked else free)

    # -- dialogs -----------------------------------------------------------------------------------------------------

    def commands(self) -> list[Command]:
        """Return everything that the palette offers."""
        controller = self.controller
        found = [
            Command(self._command_title(name), action.trigger, native_text(action.shortcut()))
            for name, action in self.actions_by_name.items()
            if action.isEnabled()
        ]
        for item in sorted(controller.library.filters.values(), key=lambda f: translated(f.title)):
            title = self.tr("Add {0}").format(translated(item.title))
            found.append(Command(title, partial(controller.add_filter, item.id), translated(item.group)))
        for title, path in own_presets():
            found.append(Command(self.tr("Preset: {0}").format(title), partial(controller.load_preset, path)))
        for model in controller.settings.models:
            title = self.tr("Use the network {0}").format(Path(model).stem)
            found.append(Command(title, partial(controller.use_model, Path(model))))
        for name in controller.settings.recent:
            found.append(Command(self.tr("Open {0}").format(Path(name).name), partial(controller.open, name)))
        return found

    def _command_title(self, name: str) -> str:
        """An action's text, behind the title of its submenu where the text alone says too little."""
        menu = {
            "theme": self.tr("Theme: {0}"),
            "preset": self.tr("Preset: {0}"),
            "language": self.tr("Language: {0}"),
        }.get(name.partition("_")[0])
        return (menu or "{0}").format(plain_text(self.actions_by_name[name].text()))

    def show_palette(self) -> CommandPalette:
        """Open the command palette."""
        palette = CommandPalette(self.commands(), self)
        palette.show()
        palette.search.setFocus()
        return palette

    def show_help(self) -> None:
        """Open the guide, or bring it to the front; it stays beside the window."""
        from desktop.ui.help import HelpWindow

        there = self.findChild(HelpWindow)
        guide = there if there is not None else HelpWindow(self)
        guide.show()
        guide.raise_()
        guide.activateWindow()

    def show_keys(self) -> None:
        """Show all keys."""
        from desktop.ui.dialogs import KeysDialog

        groups = []
        for title, names in self._groups():
            known: list[QAction] = [self.actions_by_name[n] for n in names if n in self.actions_by_name]
            groups.append((title.replace("&", ""), known))
        KeysDialog(groups, self).open()

    def show_about(self) -> None:
        """Show version, adapter and diagnostics."""
        from desktop.ui.dialogs import AboutDialog

        AboutDialog(self.controller, self._diagnose, self).open()

    def show_adapters(self) -> None:
        """Let the user choose the adapter."""
        from desktop.ui.dialogs import AdapterDialog

        AdapterDialog(self.controller, self).open()
