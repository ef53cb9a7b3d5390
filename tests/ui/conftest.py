"""One real window for all tests of a process (making a device takes seconds on a software adapter), as new
for each test.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from window_panels import library_of

if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    # Without a display Qt's own off-screen windows are used: presenting to the screen is then not covered.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from grid_rig import COLORS, shown, write_pictures
from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, Qt, QTranslator, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from qt_waiting import WAIT_MS, PatientBot, activate

from desktop.app import make_application, make_window, start_engine
from desktop.media.sources.camera import CameraBackend
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import language
from desktop.ui.shell.window import Window
from desktop.ui.workspace.history import History

QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
# The system's own can't be answered by a test.
QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)

SAMPLE = "sample:128x72@30"
# Wide enough for all panels, whatever the test before did.
WINDOW_SIZE = (1320, 820)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """In the place of pytest-qt's own."""
    return PatientBot(request)


@pytest.fixture
def speak(qapp: QApplication) -> Iterator[Callable[[str], None]]:
    """Let what is made from now on speak a language; afterwards it is English again."""
    before = set(qapp.findChildren(QTranslator))

    def forget() -> None:
        for translator in set(qapp.findChildren(QTranslator)) - before:
            qapp.removeTranslator(translator)
            translator.deleteLater()

    def take(code: str) -> None:
        forget()
        language.install(qapp, code)

    yield take
    forget()


@dataclass
class Ui:
    """The window with what tests do to it again and again."""

    window: Window
    qtbot: object

    @property
    def workspace(self):
        return self.window.workspace

    def wait(self, condition: Callable[[], object]) -> None:
        """Let the window live until something is so; fail after WAIT_MS."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)

    def still(self, read: Callable[[], object]) -> object:
        """Wait until what is read stays the same for 0.3 s, and return it: what was under way comes late on a
        busy machine.
        """
        found = None

        def is_still() -> bool:
            nonlocal found
            found = read()
            QTest.qWait(300)
            return read() == found

        self.wait(is_still)
        return found

    def activate(self, widget: QWidget | None = None) -> None:
        """Make a window, by default the main one, the active one: only there are shortcuts and the focus."""
        activate(self.qtbot, widget or self.window)

    def resize(self, width: int, height: int) -> None:
        """Give the window a size that lasts: an answer of the X server to an earlier size, which comes late,
        undoes a newer one.
        """
        for _ in range(20):
            self.window.resize(width, height)
            self.wait(lambda: (self.window.width(), self.window.height()) == (width, height))
            QTest.qWait(150)
            if (self.window.width(), self.window.height()) == (width, height):
                return
        raise AssertionError(f"the window does not keep {width} x {height}")

    def play(self, spec: str = SAMPLE) -> None:
        """Open a source and wait for its first picture."""
        frames, engine, playback = self.frames, self.workspace.engine, self.workspace.playback
        last: list[object] = []  # of what played before; it may be drawn again, and is counted late

        def opened(_: str) -> None:
            last.append(engine.current.frame)

        playback.opened.connect(opened)
        self.workspace.get(Opening).open(spec)
        self.wait(
            lambda: (
                playback.name == spec
                and last
                and engine.current.frame is not last[-1]
                and self.frames > frames
            )
        )
        playback.opened.disconnect(opened)

    @property
    def frames(self) -> int:
        return self.workspace.engine.pipeline.stats.frames

    def pause(self) -> None:
        """Hold the picture, so that two pictures differ by an edit alone."""
        if self.workspace.playback.is_playing:
            self.workspace.playback.toggle()
        self.wait(lambda: self.workspace.playback.source.state == "paused")
        self.settle()

    def settle(self) -> None:
        """Wait until every filter runs and nothing is left to draw."""
        engine = self.workspace.engine
        viewport = self.window.viewport
        self.wait(
            lambda: (
                not engine.current.wants_frames and not engine.pipeline.is_busy and not viewport.has_waiting
            )
        )

    def picture(self) -> np.ndarray:
        """Read back the chain's present result: uint8 [height, width, 4]."""
        return self.workspace.engine.pipeline.export().result()

    def drop(self, *specs: str | Path) -> None:
        """Drop files and addresses on the window, as a file manager does."""
        data = QMimeData()
        data.setUrls([QUrl(s) if "://" in str(s) else QUrl.fromLocalFile(str(s)) for s in specs])
        action, button, none = (
            Qt.DropAction.CopyAction,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        enter = QDragEnterEvent(QPoint(400, 300), action, data, button, none)
        QApplication.sendEvent(self.window, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(self.window, QDropEvent(QPointF(400, 300), action, data, button, none))

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key with the picture focused in the active window."""
        self.activate()
        target = self.window.viewport if self.window.viewport.isVisible() else self.window
        target.setFocus()
        QTest.keyClick(target, key, modifiers)

    @property
    def notices(self) -> list[str]:
        return [notice.text for notice in self.window.notices.notices]

    @property
    def stages(self) -> list[str]:
        return [stage.filter for stage in self.workspace.edits.chain.stages]


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application, made as the program makes it."""
    return make_application()


@contextmanager
def open_window(qapp: QApplication, folder: Path) -> Iterator[Window]:
    """Open a window whose settings, filters, presets and exports are in a folder; it is closed at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIGHTLOOM_FILTERS", str(folder / "filters"))
        patch.setenv("LIGHTLOOM_PRESETS", str(folder / "presets"))
        patch.setenv("LIGHTLOOM_EXPORTS", str(folder / "exports"))
        settings = Settings(folder / "settings.ini")
        # The same on every machine: what has no sound device says so, and the theme is not that of the system.
        settings.sound_device = "silent"
        settings.theme = "dark"
        engine = start_engine(os.environ.get("LIGHTLOOM_ADAPTER"), settings.path)
        settings.playlist_hinted = True
        window = make_window(qapp, settings, engine)
        window.show()
        window.start([], empty=True)
        yield window
        window.close()


@pytest.fixture(scope="session")
def the_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """The window of this process."""
    with open_window(qapp, tmp_path_factory.mktemp("home")) as window:
        yield window


@pytest.fixture
def own_ui(qapp: QApplication, qtbot: object, tmp_path: Path) -> Iterator[Ui]:
    """A window of the test's own, for what nobody could put back."""
    with open_window(qapp, tmp_path / "home") as window:
        yield Ui(window, qtbot)


@pytest.fixture
def ui(the_window: Window, qtbot: object) -> Iterator[Ui]:
    """The window with nothing open, no filters, no notices and no past."""
    # Other tests of this process say in the log that a device was lost, which every device hears; the figures
    # would begin anew amid a test.
    the_window.workspace.engine.recover()
    settings = the_window.workspace.settings
    kept = {setting: settings.stored(setting.key) for setting in Settings.all()}
    # Of the size that a test waits for, it would be taken for the test's own.
    assert the_window.workspace.engine.current.picture_size == (0, 0), "another test's picture is still there"
    made = Ui(the_window, qtbot)
    if (the_window.width(), the_window.height()) != WINDOW_SIZE and not the_window.isMaximized():
        made.resize(*WINDOW_SIZE)
    yield made
    workspace = the_window.workspace
    workspace.playback.cancel()
    workspace.playback.stop()
    the_window.viewport.drop_waiting()
    workspace.engine.current.clear()
    workspace.edits.edit(Setup(), "")
    workspace.edits.history = History(workspace.edits.setup)
    for setting, value in kept.items():
        settings.store(setting, value)
    _forget_exports(made)
    the_window.notices.clear()
    library_of(the_window).search.clear()
    the_window.dock_area.lock(False)
    the_window.dock_area.reset()
    the_window.viewport.set_split(None)
    the_window.viewport.set_mirrored(False)
    the_window.viewport.fit()
    if not the_window.isMaximized():
        the_window.resize(*WINDOW_SIZE)


def _forget_exports(ui: Ui) -> None:
    """Leave no entry in the panel of exports, which lists those of videos and those of results. On the disk they
    would be read again by the next test that opens the queue.
    """
    exports, results = ui.workspace.get(Exports), ui.workspace.get(ResultsExport)
    # What is added gets its place in the queue on a thread.
    ui.wait(lambda: len(exports.in_use) == 2 * exports.left)  # a target and a source each
    for _ in ("cancel what runs or waits", "remove what has ended"):
        for export in exports.all:
            exports.cancel(export.job.id)
        for entry in results.entries:
            results.cancel_or_remove(entry.id)
        ui.wait(lambda: not (exports.is_busy or exports.is_running or results.is_running))
    assert not exports.all and not results.entries


@pytest.fixture
def use_cameras(monkeypatch: pytest.MonkeyPatch) -> Callable[[CameraBackend], None]:
    """Let the program find the cameras of a backend in the place of the system's, until the test ends."""

    def use(backend: CameraBackend) -> None:
        monkeypatch.setattr("desktop.media.sources.camera.system_backend", lambda: backend)

    return use


@pytest.fixture
def pictures(tmp_path: Path) -> dict[str, Path]:
    """Four pictures of one color each, by its name; 64 x 36."""
    return write_pictures(tmp_path)


@pytest.fixture
def grid(ui: Ui) -> Iterator[Grid]:
    """The window's grid, which is off again after the test."""
    yield ui.workspace.get(Grid)
    if ui.workspace.get(Grid).is_on:
        ui.workspace.get(Grid).end()
    ui.workspace.get(Grid).shares = True


@pytest.fixture
def four(ui: Ui, grid: Grid, pictures: dict[str, Path]) -> Grid:
    """The grid with the four pictures, the first in use."""
    grid.begin()
    ui.drop(*pictures.values())
    ui.wait(lambda: len(grid.tiles) == 4 and shown(grid) == list(COLORS))
    return grid


@pytest.fixture
def player(ui: Ui) -> Iterator[PlaylistPlayer]:
    """The window's list, empty, with the panel away."""
    player = ui.workspace.get(PlaylistPlayer)
    # Other tests' drops may have filled it.
    while player.can_undo:
        player.undo()
    assert not player.list.entries
    ui.workspace.settings.picture_seconds = 3600.0
    yield player
    ui.window.dock_area.docks["playlist"].hide()
    ui.workspace.playback.cancel()
    while player.can_undo:
        player.undo()
    ui.workspace.settings.playlist_loop = "none"
    # The list before may have been a shuffled one.
    ui.workspace.settings.shuffles = True
    ui.workspace.settings.shuffles = False
