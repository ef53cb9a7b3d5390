"""A camera's controls: the bytes that go to the kernel, and what the camera's thread does with them."""

from __future__ import annotations

import argparse
import ctypes
import errno

import av
import pytest
from waiting import until

from desktop.base.errors import SourceUnsupportedError, UsageError
from desktop.base.fields import Flag, Integer, Selection
from desktop.cli._camera import add_camera_option, set_camera
from desktop.media import v4l2
from desktop.media.sources import _v4l2_controls
from desktop.media.sources._camera_backends import AvFoundation, DirectShow, Video4Linux
from desktop.media.sources._v4l2_controls import Controls
from desktop.media.sources.camera import (
    CameraControl,
    CameraInfo,
    CameraMode,
    CameraSource,
    defaults_of,
)
from desktop.media.sources.opening import open_source


# The kernel's structures (linux/videodev2.h) written down a second time, by ctypes.
class QueryCtrl(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("type", ctypes.c_uint32), ("name", ctypes.c_char * 32)]
    _fields_ += [(name, ctypes.c_int32) for name in ("minimum", "maximum", "step", "default_value")]
    _fields_ += [("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint32 * 2)]


class QueryMenu(ctypes.Structure):
    class Value(ctypes.Union):
        _pack_ = 1
        _fields_ = [("name", ctypes.c_char * 32), ("value", ctypes.c_int64)]

    _pack_ = 1
    _fields_ = [("id", ctypes.c_uint32), ("index", ctypes.c_uint32), ("u", Value), ("r", ctypes.c_uint32)]


class Control(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("value", ctypes.c_int32)]


def iowr(number, size):
    return 3 << 30 | size << 16 | ord("V") << 8 | number


def test_v4l2_numbers():
    assert iowr(27, ctypes.sizeof(Control)) == _v4l2_controls.G_CTRL
    assert iowr(28, ctypes.sizeof(Control)) == _v4l2_controls.S_CTRL
    assert iowr(36, ctypes.sizeof(QueryCtrl)) == _v4l2_controls.QUERYCTRL
    assert iowr(37, ctypes.sizeof(QueryMenu)) == _v4l2_controls.QUERYMENU
    assert (ctypes.sizeof(QueryCtrl), ctypes.sizeof(QueryMenu), ctypes.sizeof(Control)) == (68, 44, 8)


# Numbers of linux/v4l2-controls.h.
BRIGHTNESS, AUTO_WB, POWER_LINE, WB, SHARPNESS = 0x980900, 0x98090C, 0x980918, 0x98091A, 0x98091B
CLASS, AUTO_EXPOSURE, EXPOSURE, FOCUS, PRIVACY, OWN = (
    0x9A0001,
    0x9A0901,
    0x9A0902,
    0x9A090A,
    0x9A0910,
    0x9A9000,
)
INTEGER, BOOLEAN, MENU, BUTTON, CTRL_CLASS, INTEGER_MENU = 1, 2, 3, 4, 6, 9
READ_ONLY, INACTIVE, DISABLED = 0x4, 0x10, 0x1


class Kernel:
    """A webcam behind the four ioctls. Each request is kept as it came, byte for byte."""

    def __init__(self):
        self.controls = {
            BRIGHTNESS: [INTEGER, b"Brightness", -64, 64, 1, 0, 0, 5],
            AUTO_WB: [BOOLEAN, b"White Balance, Automatic", 0, 1, 1, 1, 0, 1],
            POWER_LINE: [MENU, b"Power Line Frequency", 0, 2, 1, 1, 0, 1],
            WB: [INTEGER, b"White Balance Temperature", 2800, 6500, 10, 4600, 0, 4600],
            SHARPNESS: [INTEGER, b"Sharpness", 0, 7, 1, 3, DISABLED, 3],
            CLASS: [CTRL_CLASS, b"Camera Controls", 0, 0, 0, 0, 0, 0],
            AUTO_EXPOSURE: [MENU, b"Auto Exposure", 0, 3, 1, 3, 0, 3],
            EXPOSURE: [INTEGER, b"Exposure Time, Absolute", 1, 5000, 1, 156, 0, 156],
            FOCUS: [INTEGER, b"Focus, Absolute", 0, 255, 5, 0, INACTIVE, 0],
            PRIVACY: [BUTTON, b"Reset", 0, 0, 0, 0, 0, 0],
            OWN: [INTEGER_MENU, b"LED1 Mode (x)", 0, 1, 1, 0, 0, 1],
        }
        self.menus = {
            POWER_LINE: {0: b"Disabled", 1: b"50 Hz", 2: b"60 Hz"},
            AUTO_EXPOSURE: {1: b"Manual Mode", 3: b"Aperture Priority Mode"},
            OWN: {0: 8_000_000_000, 1: -3},
        }
        self.requests: list[tuple[int, bytes]] = []
        self.gone = False
        self.refuses: int | None = None

    def __call__(self, descriptor, request, data):
        self.requests.append((request, bytes(data)))
        if self.gone:
            raise OSError(errno.ENODEV, "gone")
        if request == _v4l2_controls.QUERYCTRL:
            asked = QueryCtrl.from_buffer(data)
            number = next((n for n in sorted(self.controls) if n > asked.id & 0x7FFFFFFF), None)
            assert asked.id & 0x80000000
            if number is None:
                raise OSError(errno.EINVAL, "no more")
            kind, name, low, high, step, default, flags, _ = self.controls[number]
            asked.id, asked.type, asked.name, asked.flags = number, kind, name, flags
            asked.minimum, asked.maximum, asked.step, asked.default_value = low, high, step, default
        elif request == _v4l2_controls.QUERYMENU:
            asked = QueryMenu.from_buffer(data)
            entry = self.menus[asked.id].get(asked.index)
            if entry is None:
                raise OSError(errno.EINVAL, "a hole")
            if isinstance(entry, bytes):
                asked.u.name = entry
            else:
                asked.u.value = entry
        else:
            asked = Control.from_buffer(data)
            if request == _v4l2_controls.S_CTRL:
                if self.refuses is not None:
                    raise OSError(self.refuses, "refused")
                self.controls[asked.id][7] = asked.value
            asked.value = self.controls[asked.id][7]

    def sent(self):
        """What was set: number and value, in order."""
        return [
            (Control.from_buffer_copy(data).id, Control.from_buffer_copy(data).value)
            for request, data in self.requests
            if request == _v4l2_controls.S_CTRL
        ]


@pytest.fixture
def kernel(monkeypatch, tmp_path):
    (tmp_path / "video0").touch()
    kernel = Kernel()
    monkeypatch.setattr(v4l2, "ioctl", kernel)
    kernel.path = tmp_path / "video0"
    return kernel


def test_the_controls_are_read(kernel):
    with Controls(kernel.path, kernel) as node:
        found = node.read()
    assert found == (
        CameraControl(Integer("brightness", 0, -64, 64, 1, label="Brightness"), 5),
        CameraControl(Flag("auto_white_balance", True, label="Auto white balance"), 1),
        CameraControl(
            Selection(
                "power_line_frequency",
                "1",
                choices=("0", "1", "2"),
                titles={"0": "Disabled", "1": "50 Hz", "2": "60 Hz"},
                label="Power-line frequency",
            ),
            1,
        ),
        CameraControl(
            Integer("white_balance", 4600, 2800, 6500, 10, label="White balance"), 4600, "auto_white_balance"
        ),
        CameraControl(
            Selection(
                "auto_exposure",
                "3",
                choices=("1", "3"),
                titles={"1": "Manual Mode", "3": "Aperture Priority Mode"},
                label="Auto exposure",
            ),
            3,
        ),
        CameraControl(Integer("exposure_time", 156, 1, 5000, 1, label="Exposure time"), 156, "auto_exposure"),
        CameraControl(Integer("focus", 0, 0, 255, 5, label="Focus"), 0, locked=True),
        CameraControl(
            Selection(
                "led1_mode_x",
                "0",
                choices=("0", "1"),
                titles={"0": "8000000000", "1": "-3"},
                label="LED1 Mode (x)",
            ),
            1,
        ),
    )
    assert defaults_of(found) == {
        "brightness": 0,
        "auto_white_balance": 1,
        "power_line_frequency": 1,
        "white_balance": 4600,
        "auto_exposure": 3,
        "exposure_time": 156,
        "led1_mode_x": 0,
    }


def test_the_bytes_of_a_request_are_those_of_the_kernels_structures(kernel):
    with Controls(kernel.path, kernel) as node:
        assert node.write("white_balance", 3200) == 3200
    expected = [
        (_v4l2_controls.QUERYCTRL, bytes(QueryCtrl(id=number | 0x80000000)))
        for number in (0, BRIGHTNESS, AUTO_WB, POWER_LINE)
    ]
    assert kernel.requests == [*expected, (_v4l2_controls.S_CTRL, bytes(Control(WB, 3200)))]
    with Controls(kernel.path, kernel) as node, pytest.raises(OSError, match="nothing") as caught:
        node.write("nothing", 1)
    assert caught.value.errno == errno.EINVAL


def test_a_driver_without_end_is_left(kernel):
    calls = []

    def endless(descriptor, request, data):
        calls.append(request)
        asked = QueryCtrl.from_buffer(data)
        asked.id, asked.type = (asked.id & 0x7FFFFFFF) + 1, BUTTON

    def circular(descriptor, request, data):
        QueryCtrl.from_buffer(data).id = 7

    def huge(descriptor, request, data):
        if request == _v4l2_controls.QUERYCTRL:
            asked = QueryCtrl.from_buffer(data)
            if asked.id & 0x7FFFFFFF:
                raise OSError(errno.EINVAL, "no more")
            asked.id, asked.type, asked.minimum, asked.maximum = 5, MENU, -5, 2**31 - 1

    for ioctl, count in ((endless, 0), (circular, 0), (huge, 1)):
        with Controls(kernel.path, ioctl) as node:
            found = node.read()
            assert len(found) == count
    assert len(calls) <= 256 and len(found[0].field.choices) <= 256


def test_controls_of_one_name_or_none_are_told_apart(kernel):
    gain, private = 0x980913, 0x98A000
    kernel.controls = {
        gain: [INTEGER, b"Gain", 0, 9, 1, 0, 0, 1],
        private: [INTEGER, b"Gain", 0, 9, 1, 0, 0, 2],
        private + 1: [INTEGER, "曝光".encode(), 0, 9, 1, 0, 0, 3],
        private + 2: [INTEGER, b"Lamp", 0, 9, 1, 0, 0, 4],
        private + 3: [INTEGER, b"lamp!", 0, 9, 1, 0, 0, 5],
        private + 4: [INTEGER, b"", 0, 9, 1, 0, 0, 6],
        private + 5: [INTEGER, b"Focus", 0, 9, 1, 0, 0, 7],
        FOCUS: [INTEGER, b"x" * 32, 0, 9, 1, 0, 0, 8],
    }
    with Controls(kernel.path, kernel) as node:
        found = {control.name: (control.field.label, control.value) for control in node.read()}
        for name in found:
            node.write(name, found[name][1])
    assert found == {
        "gain": ("Gain", 1),
        "control_0098a000": ("Gain", 2),
        "control_0098a001": ("曝光", 3),
        "lamp": ("Lamp", 4),
        "control_0098a003": ("lamp!", 5),
        "control_0098a004": ("control_0098a004", 6),
        "control_0098a005": ("Focus", 7),
        "focus": ("Focus", 8),
    }
    assert kernel.sent() == [(number, n + 1) for n, number in enumerate(sorted(kernel.controls))]


@pytest.mark.parametrize(
    ("low", "high", "step", "value", "fitted"),
    [(0, 255, 5, 12, 10), (0, 255, 5, 13, 15), (1, 10, 4, 99, 9), (-64, 64, 1, -99, -64), (0, 1, 1, 7, 1)],
)
def test_values_are_fitted(low, high, step, value, fitted):
    assert CameraControl(Integer("a", 0, low, high, step, label="A"), 0).fitted(value) == fitted


def test_a_hole_in_a_menu_is_refused():
    control = CameraControl(
        Selection("a", "3", choices=("1", "3"), titles={"1": "Manual", "3": "Auto"}, label="Exposure"), 3
    )
    assert control.fitted(3) == 3
    with pytest.raises(UsageError, match=r"Exposure has no choice 2: give one of 1 \(Manual\), 3 \(Auto\)"):
        control.fitted(2)


# -- on the camera's thread ----------------------------------------------------------------------------------


class Machine(Video4Linux):
    """One camera: its controls by the stand-in for the kernel, its pictures FFmpeg's."""

    def __init__(self, kernel):
        super().__init__()
        self.camera = CameraInfo("usb:one", "Webcam", str(kernel.path))
        self.opened = 0

    def cameras(self):
        return [self.camera]

    def modes(self, camera):
        return [CameraMode(160, 120, 30.0, "yuv420p")]

    def open(self, camera, mode):
        self.opened += 1
        return av.open("testsrc2=size=160x120:rate=30,realtime", format="lavfi")


def value_of(source, name):
    return next((control for control in source.controls if control.name == name), None)


@pytest.fixture
def source(kernel):
    source = CameraSource(backend=Machine(kernel))
    source.start()
    assert until(lambda: source.state == "live")
    yield source
    source.close()


def test_controls_are_set_while_the_camera_runs(kernel, source):
    assert value_of(source, "brightness").value == 5
    source.set_controls({"brightness": 9999, "power_line_frequency": 2})
    assert until(lambda: len(kernel.sent()) == 2 and value_of(source, "brightness").value == 64)
    assert kernel.sent() == [(BRIGHTNESS, 64), (POWER_LINE, 2)] and not source.control_problem


def test_what_is_automatic_is_switched_off_first_and_else_passed_over(kernel, source):
    source.set_controls({"exposure_time": 300})
    source.set_controls({"brightness": 1})
    assert until(lambda: value_of(source, "brightness").value == 1)
    assert kernel.sent() == [(BRIGHTNESS, 1)] and value_of(source, "exposure_time").automatic
    source.set_controls({"exposure_time": 300, "auto_exposure": 1})
    assert until(lambda: value_of(source, "exposure_time").value == 300)
    assert kernel.sent()[1:] == [(AUTO_EXPOSURE, 1), (EXPOSURE, 300)]
    assert not value_of(source, "exposure_time").automatic


def test_what_the_camera_refuses_is_one_sentence(kernel, source):
    kernel.refuses = errno.ERANGE
    source.set_controls({"brightness": 3})
    assert until(lambda: source.control_problem)
    assert source.control_problem == ("The camera Webcam did not take 3 for Brightness: try another value.")
    source.set_controls({"auto_exposure": 2})
    assert until(lambda: "no choice 2" in source.control_problem)
    kernel.refuses = None
    source.set_controls({"brightness": 3})
    assert until(lambda: not source.control_problem and value_of(source, "brightness").value == 3)
    assert source.state == "live"


def test_controls_that_are_gone_do_not_end_the_pictures(kernel, source):
    kernel.gone = True
    source.set_controls({"brightness": 3})
    taken = source.stats.decoded
    assert until(lambda: source._pending_controls is None and source.stats.decoded > taken + 1)
    assert source.state == "live" and value_of(source, "brightness").value == 5


def test_a_camera_that_is_opened_again_gets_what_was_set(kernel):
    source = CameraSource(backend=Machine(kernel))
    # Before it is open, with what this one lacks.
    source.set_controls({"brightness": -7, "tilt": 3})
    assert not kernel.requests
    for _ in range(2):
        frames = source.frames()
        next(frames)
        frames.close()
        kernel.controls[BRIGHTNESS][7] = 0  # the driver forgets
    assert kernel.sent() == [(BRIGHTNESS, -7), (BRIGHTNESS, -7)]
    source.close()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"tilt": 3}, "has no control tilt that can be set: it has brightness, auto_white_balance"),
        ({"exposure_time": 3}, "while auto_exposure is on"),
        ({"auto_exposure": 2}, "no choice 2"),
    ],
)
def test_what_is_demanded_and_cannot_be_had_keeps_the_camera_closed(kernel, asked, said):
    source = CameraSource(backend=Machine(kernel))
    source.demand_controls({"brightness": 1, **asked})
    with pytest.raises(SourceUnsupportedError, match=said):
        next(source.frames())
    source.start()
    assert until(lambda: source.state == "failed") and said in str(source.error)
    source.close()


def test_the_option_of_the_command_line(kernel, monkeypatch):
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_camera_option(parser)
    given = ["auto_exposure=1", "exposure_time=300", "auto_white_balance=off"]
    options = parser.parse_args([text for one in given for text in ("--camera-control", one)])
    source = CameraSource(backend=Machine(kernel))
    set_camera(options, source)
    frames = source.frames()
    next(frames)
    frames.close()
    assert sorted(kernel.sent()) == [(AUTO_WB, 0), (AUTO_EXPOSURE, 1), (EXPOSURE, 300)]
    with pytest.raises(UsageError, match="for cameras"):
        set_camera(options, open_source("sample"))
    with pytest.raises(argparse.ArgumentError):
        parser.parse_args(["--camera-control", "gain=much"])


def test_systems_without_controls_say_so():
    camera = CameraInfo("a", "A", "0")
    for backend in (AvFoundation(), DirectShow()):
        assert backend.controls(camera) == ()
        with pytest.raises(OSError, match="brightness"):
            backend.set_control(camera, "brightness", 1)
