"""The camera's controls in the window, on a stand-in below the camera's source."""

from __future__ import annotations

from dataclasses import replace

import av
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.fields import Flag, Integer, Selection
from desktop.media.sources._camera_backends import CameraInfo, CameraMode, Video4Linux
from desktop.media.sources._camera_controls import CameraControl, automatic_of
from desktop.ui.features.camera.camera_controls import CameraControls
from desktop.ui.features.camera.controls_panel import ControlsPanel
from desktop.ui.features.opening.opening import Opening
from desktop.ui.forms.settings import Settings

CONTROLS = (
    CameraControl(Integer("brightness", 0, -64, 64, 1, label="Brightness"), 5),
    CameraControl(
        Selection(
            "auto_exposure",
            "3",
            choices=("1", "3"),
            titles={"1": "Manual", "3": "Automatic"},
            label="Automatic exposure",
        ),
        3,
    ),
    CameraControl(Integer("exposure_time", 156, 1, 5000, 1, label="Exposure time"), 156),
    CameraControl(Flag("auto_focus", True, label="Automatic focus"), 1),
    CameraControl(
        Selection("led", "0", choices=("0", "1", "2"), titles={"0": "On", "1": "On", "2": ""}, label="LED"), 0
    ),
    CameraControl(Integer("fixed", 3, 3, 3, 1, label="Fixed"), 3),
)


class Machine(Video4Linux):
    """One camera whose controls are values."""

    def __init__(self, name: str = "Webcam", controls: tuple[CameraControl, ...] = CONTROLS) -> None:
        super().__init__()
        self.camera, self.stated = CameraInfo("usb:one", name, "/dev/video0"), controls
        self.sent: list[tuple[str, int]] = []

    def cameras(self):
        return [self.camera]

    def modes(self, camera):
        return [CameraMode(160, 120, 30.0, "yuv420p")]

    def open(self, camera, mode):
        return av.open("testsrc2=size=160x120:rate=30,realtime", format="lavfi")

    def controls(self, camera):
        values = {one.name: one.value for one in self.stated}
        return tuple(replace(one, automatic=automatic_of(one.name, values)) for one in self.stated)

    def set_control(self, camera, control, value):
        self.sent.append((control, value))
        self.stated = tuple(replace(c, value=value) if c.name == control else c for c in self.stated)


@pytest.fixture
def use(ui, use_cameras):
    """Plays a camera of a machine."""

    def play(machine: Machine) -> Machine:
        use_cameras(machine)
        ui.workspace.get(Opening).open("camera")
        ui.wait(lambda: ui.workspace.playback.source and ui.workspace.playback.source.state == "live")
        ui.wait(lambda: len(ui.workspace.get(CameraControls).controls) == len(machine.stated))
        return machine

    yield play
    ui.workspace.playback.stop()
    ui.workspace.settings.camera_controls = {}


@pytest.fixture
def panel(ui):
    """The panel, shown."""
    action = ui.window.actions_by_name["camera_controls"]
    action.trigger()
    ui.wait(lambda: ui.window.dock_area.is_shown("camera_controls"))
    yield ui.window.dock_area.panel("camera_controls", ControlsPanel)
    action.trigger()


def test_without_a_camera_the_panel_says_what_to_do(ui, panel, use):
    assert "Open a camera" in panel.note.text() and not panel.back.isVisible()
    use(Machine(controls=()))
    ui.wait(lambda: "has no controls" in panel.note.text())


def test_controls_are_shown_set_and_kept(ui, panel, use):
    machine = use(Machine())
    ui.wait(
        lambda: list(panel.editors) == ["brightness", "auto_exposure", "exposure_time", "auto_focus", "led"]
    )
    assert not panel.editors["exposure_time"].isEnabled()
    assert panel.editors["exposure_time"].toolTip() == "Set by: Automatic exposure"
    led = panel.editors["led"].box
    assert [led.itemText(n) for n in range(led.count())] == ["On (0)", "On (1)", "(2)"]
    QTest.keyClick(panel.editors["brightness"].slider, Qt.Key.Key_Right)
    ui.wait(lambda: machine.sent == [("brightness", 6)])
    panel.editors["auto_exposure"].box.setFocus()
    QTest.keyClick(panel.editors["auto_exposure"].box, Qt.Key.Key_Up)
    ui.wait(lambda: panel.editors["exposure_time"].isEnabled())
    assert machine.sent[1:] == [("auto_exposure", 1)]
    assert ui.workspace.settings.camera_controls == {"Webcam": {"brightness": 6, "auto_exposure": 1}}
    QTest.mouseClick(panel.back, Qt.MouseButton.LeftButton)
    ui.wait(lambda: not panel.editors["exposure_time"].isEnabled())
    ui.wait(lambda: panel.editors["brightness"].spin.value() == 0)
    assert ui.workspace.settings.camera_controls == {}


def test_what_was_set_comes_back_with_the_camera_of_that_name_alone(ui, use):
    ui.workspace.settings.camera_controls = {
        "Webcam": {"brightness": -9, "zoom": 4},
        "Other": {"brightness": 1},
    }
    machine = use(Machine())
    ui.wait(lambda: machine.sent)
    assert machine.sent == [("brightness", -9)]
    ui.workspace.playback.stop()
    other = use(Machine("Third"))
    ui.wait(lambda: ui.frames and ui.workspace.playback.info.title == "Third")
    assert other.sent == []


def test_the_bars_button_is_there_for_cameras(ui, use):
    assert not ui.window.transport.controls.isVisible()
    use(Machine())
    ui.wait(lambda: ui.window.transport.controls.isVisible())


def test_of_broken_settings_nothing_is_set(ui, use):
    settings = ui.workspace.settings
    for text in ("[", "[1]", '{"a": 3}'):
        settings.store(Settings.camera_controls, text)
        assert ui.workspace.settings.camera_controls == {}
    settings.store(Settings.camera_controls, '{"Webcam": {"brightness": "c", "zoom": true, "gain": 1.5}}')
    machine = use(Machine())
    ui.wait(lambda: ui.frames and ui.workspace.playback.info.title == "Webcam")
    assert machine.sent == []
