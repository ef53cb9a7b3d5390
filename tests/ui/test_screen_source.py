"""Opening the screen from the window: its dialog, the region that is drawn, and the source it leads to."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.base.errors import ScreenError
from desktop.media.sources.screen import Box, Monitor, ScreenWindow
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.sources.region_picker import RegionPicker
from desktop.ui.features.sources.screen_dialog import ScreenDialog
from desktop.ui.kit.widgets import Themed

MONITORS = [Monitor(1, "eDP-1", Box(0, 0, 1600, 1000)), Monitor(2, "", Box(1600, 0, 800, 600))]
WINDOWS = [ScreenWindow("0x2a", "Editor", Box(5, 5, 300, 200)), ScreenWindow("0x2b", "Away", Box(0, 0, 0, 0))]


@pytest.fixture
def dialog(ui):
    """The dialog on two monitors and two windows, and what it handed on."""
    used: list[str] = []
    made = ScreenDialog(ui.window, ui.workspace.jobs, Themed(), used.append, lambda: (MONITORS, WINDOWS))
    made.open()
    ui.wait(lambda: made.tree.topLevelItemCount())
    yield made, used
    if not used:
        made.reject()


def texts(dialog) -> list[str]:
    return [dialog.tree.topLevelItem(row).text(0) for row in range(dialog.tree.topLevelItemCount())]


def test_monitors_and_windows_are_listed_with_their_sizes(dialog):
    made, used = dialog
    assert texts(made) == [
        "Monitor 1 (eDP-1) · 1600×1000",
        "Monitor 2 · 800×600",
        "Editor · 300×200",
        "Away · minimized",
    ]
    QTest.keyClick(made.tree, Qt.Key.Key_Down)
    made.rate.setValue(60)
    made.cursor_box.setChecked(False)
    QTest.keyClick(made.tree, Qt.Key.Key_Return)
    assert used == ["screen:2@60,cursor=off"]


def test_a_window_is_opened_by_its_id_and_has_no_region(dialog):
    made, used = dialog
    made.region.setText("nonsense")
    assert not made.go.isEnabled() and "four numbers" in made.note.text()
    made.tree.setCurrentItem(made.tree.topLevelItem(2))
    assert made.go.isEnabled() and not made.region.isEnabled() and not made.draw.isEnabled()
    QTest.mouseClick(made.go, Qt.MouseButton.LeftButton)
    assert used == ["screen:window=0x2a"]


@pytest.mark.parametrize("text", ["10, 20, 64, 48", "10 20 64x48"])
def test_a_region_is_typed(dialog, text):
    made, used = dialog
    QTest.keyClicks(made.region, text)
    QTest.keyClick(made.region, Qt.Key.Key_Return)
    assert used == ["screen:10,20,64,48"]


def test_why_there_is_no_screen_stands_in_the_dialog(ui):
    def refuse():
        raise ScreenError("denied", "No screen here.")

    made = ScreenDialog(ui.window, ui.workspace.jobs, Themed(), print, refuse)
    made.open()
    ui.wait(lambda: made.note.text() == "No screen here.")
    assert not made.go.isEnabled()
    made.reject()


def test_a_region_is_drawn_by_mouse_and_keys(ui):
    still = QPixmap(QGuiApplication.primaryScreen().size())
    still.fill(QColor("navy"))
    for act, expected in (
        (
            lambda p: (
                QTest.mousePress(p, Qt.MouseButton.LeftButton, pos=QPoint(220, 130)),
                QTest.mouseMove(p, QPoint(150, 100)),
                QTest.mouseRelease(p, Qt.MouseButton.LeftButton, pos=QPoint(101, 51)),
            ),
            QRect(101, 51, 120, 80),
        ),
        (
            lambda p: (
                QTest.mousePress(p, Qt.MouseButton.LeftButton, pos=QPoint(5, 7)),
                QTest.mouseMove(p, QPoint(104, 56)),
                QTest.keyClick(p, Qt.Key.Key_Left),
                QTest.keyClick(p, Qt.Key.Key_Down),
                QTest.keyClick(p, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier),
                QTest.keyClick(p, Qt.Key.Key_Return),
            ),
            QRect(0, 17, 110, 50),
        ),
    ):
        picker, picked = RegionPicker(QGuiApplication.primaryScreen(), still), []
        picker.picked.connect(picked.append)
        picker.show()
        ui.wait(picker.isVisible)
        act(picker)
        assert picked == [expected]
    picker, left = RegionPicker(QGuiApplication.primaryScreen(), still), []
    picker.left.connect(lambda: left.append(True))
    picker.show()
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert left == [True]


def test_the_screen_plays(ui):
    if QGuiApplication.platformName() != "xcb":
        pytest.skip("there is no X server to capture")
    ui.workspace.get(Opening).open("screen:0,0,96,64@20")
    ui.wait(lambda: ui.workspace.playback.source and ui.workspace.playback.source.state == "live")
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (96, 64))
    assert ui.workspace.playback.info.title == "Monitor 1" and not ui.notices
    assert not any(name.startswith("screen") for name in ui.workspace.settings.recent)
    assert isinstance(ui.picture(), np.ndarray)
    ui.workspace.playback.stop()


def test_a_window_that_is_closed_is_told_and_leaves_the_start_page(ui):
    if QGuiApplication.platformName() != "xcb":
        pytest.skip("there is no X server to capture")
    # Another program's window would do the same; our own is not listed, but has an id.
    window = QWidget()
    window.setWindowTitle("Short-lived")
    window.resize(120, 80)
    window.show()
    ui.workspace.get(Opening).open(f"screen:window={int(window.winId()):#x}@20")
    ui.wait(lambda: ui.workspace.playback.source and ui.workspace.playback.source.state == "live")
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (120, 80))
    window.resize(200, 100)
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (200, 100))
    assert ui.workspace.playback.source.state == "live" and not ui.notices
    window.destroy()
    ui.wait(lambda: ui.notices)
    assert "was closed: open another one." in ui.notices[0]
    ui.wait(lambda: ui.window.pages.currentWidget() is ui.window.empty)
