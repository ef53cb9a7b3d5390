"""The virtual camera, against a stand-in of v4l2loopback's device that reads the kernel's structures by
ctypes, and one of pyvirtualcam.
"""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
import types
from pathlib import Path

import cv2
import numpy as np
import pytest
from waiting import LIMIT_S

from desktop.base.errors import ExportError, UsageError
from desktop.media import v4l2
from desktop.outputs.live import live_outputs
from desktop.outputs.live._loopback import Loopbacks
from desktop.outputs.live._package import Package
from desktop.outputs.live._pyvirtualcam import Installed
from desktop.outputs.live._shared_fields import Limit
from desktop.outputs.live.output import PictureFormat
from desktop.outputs.live.virtual_camera import CameraSink, virtual_camera

SHOWN = PictureFormat(64, 36, 30.0)
OUTPUT_ONLY, CAPTURE, OWN = 0x2, 0x1, 0x80000000


# The kernel's structures by ctypes, as an independent reference for `struct`'s layouts.
class Pix(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint32)
        for name in (
            *("width", "height", "code", "field", "stride", "image"),
            *("colorspace", "priv", "flags", "encoding", "quantization", "transfer"),
        )
    ]


class Union(ctypes.Union):
    # A pointer, as in struct v4l2_window, which decides how the union lies.
    _fields_ = [("pix", Pix), ("pointer", ctypes.c_void_p), ("raw", ctypes.c_uint8 * 200)]


class Format(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("fmt", Union)]


class Parm(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint32) for name in ("type", "capability", "mode", "numerator", "denominator")
    ]
    _fields_ += [("rest", ctypes.c_uint8 * 184)]


class Capability(ctypes.Structure):
    _fields_ = [("driver", ctypes.c_char * 16), ("card", ctypes.c_char * 32), ("bus", ctypes.c_char * 32)]
    _fields_ += [(name, ctypes.c_uint32) for name in ("version", "caps", "own", "a", "b", "c")]


def iowr(number, size):
    return 3 << 30 | size << 16 | ord("V") << 8 | number


class Stand:
    """A device as v4l2loopback's: takes a format, then pictures of just its bytes.

    `driver` and `caps` are what it says of itself; `takes` is what it makes of a format that is asked for;
    `fails` has an errno by request.
    """

    def __init__(self, driver=b"v4l2 loopback", caps=OUTPUT_ONLY, takes=None, fails=None):
        self.driver, self.caps, self.takes, self.fails = driver, caps, takes, fails or {}
        self.asked, self.rate, self.written, self.open = None, None, [], 0
        self.write_fails = self.short = 0

    def __call__(self, path):
        if "open" in self.fails:
            raise OSError(self.fails["open"], os.strerror(self.fails["open"]), str(path))
        self.open += 1
        return self

    def do_ioctl(self, request, argument):
        if request in self.fails:
            raise OSError(self.fails[request], os.strerror(self.fails[request]))
        if request == v4l2.QUERYCAP:
            told = Capability(
                self.driver, b"Lightloom", b"platform:v4l2loopback-000", 0, self.caps | OWN, self.caps
            )
            argument[:] = bytes(told)
        elif request == iowr(5, ctypes.sizeof(Format)):
            given = Format.from_buffer(argument)
            pix = given.fmt.pix
            self.asked = {name: getattr(pix, name) for name, _ in Pix._fields_} | {"type": given.type}
            if self.takes is not None:
                pix.width, pix.height, code, pix.stride = self.takes
                pix.code = int.from_bytes(code, "little")
        elif request == iowr(22, ctypes.sizeof(Parm)):
            given = Parm.from_buffer(argument)
            self.rate = (given.type, given.numerator, given.denominator)
        else:
            raise OSError(errno.ENOTTY, "not known")

    def write(self, data):
        if self.write_fails:
            raise OSError(self.write_fails, os.strerror(self.write_fails))
        self.written.append(bytes(data))
        return len(data) - self.short

    def close(self):
        self.open -= 1


@pytest.fixture
def devices(tmp_path):
    (tmp_path / "video0").touch()
    return tmp_path


def opened(stand, folder, pictures=SHOWN, **values):
    output = virtual_camera(Loopbacks(folder, stand))
    return output.open(output.checked(values), pictures)


def colors(width, height):
    """Smooth, so that how chroma is averaged does not matter."""
    x, y = np.linspace(0, 255, width), np.linspace(0, 255, height)[:, None]
    planes = (x + 0 * y, y + 0 * x, 255 - (x + y) / 2, 255 + 0 * (x + y))
    return np.stack(planes, -1).round().astype(np.uint8)


def bt601_limited(rgb):
    """Y, Cb, Cr of R'G'B' in 0..255, by Recommendation ITU-R BT.601-7, 2.5.1 to 2.5.3, 8 bits."""
    r, g, b = np.moveaxis(rgb.astype(np.float64) / 255, -1, 0)
    y = 0.299 * r + 0.587 * g + 0.114 * b
    return np.stack((219 * y + 16, 224 * (b - y) / 1.772 + 128, 224 * (r - y) / 1.402 + 128), -1)


# -- Linux ---------------------------------------------------------------------------------------------------


def test_the_format_that_is_asked_for_is_the_kernels(devices):
    stand = Stand()
    opened(stand, devices, size="1280x720", rate="25")
    assert iowr(5, ctypes.sizeof(Format)) == v4l2.S_FMT and iowr(22, ctypes.sizeof(Parm)) == v4l2.S_PARM
    assert ctypes.sizeof(Parm) == 204 and ctypes.sizeof(Format) == len(v4l2.output_format_request((2, 2)))
    assert stand.asked == {
        "type": 2,  # V4L2_BUF_TYPE_VIDEO_OUTPUT
        "width": 1280,
        "height": 720,
        "code": int.from_bytes(b"YUYV", "little"),
        "field": 1,  # V4L2_FIELD_NONE
        "stride": 2560,
        "image": 1280 * 720 * 2,
        "colorspace": 8,  # V4L2_COLORSPACE_SRGB
        "priv": 0xFEEDCAFE,
        "flags": 0,
        "encoding": 1,  # V4L2_YCBCR_ENC_601
        "quantization": 2,  # V4L2_QUANTIZATION_LIM_RANGE
        "transfer": 2,  # V4L2_XFER_FUNC_SRGB
    }
    assert stand.rate == (2, 1000, 25000)


def test_a_picture_is_written_as_yuyv_of_bt601_in_limited_range(devices):
    stand, picture = Stand(), colors(64, 36)
    sink = opened(stand, devices)
    sink.write(picture, 0.0)
    (data,) = stand.written
    rows = np.frombuffer(data, np.uint8).reshape(36, 32, 4)  # Y0 Cb Y1 Cr
    expected = bt601_limited(picture[..., :3])
    assert np.abs(rows[..., (0, 2)].reshape(36, 64) - expected[..., 0]).max() <= 1.5
    pairs = expected.reshape(36, 32, 2, 3).mean(2)
    assert (
        np.abs(rows[..., 1] - pairs[..., 1]).max() <= 2.5
        and np.abs(rows[..., 3] - pairs[..., 2]).max() <= 2.5
    )
    # And back, by another reader.
    back = cv2.cvtColor(rows.reshape(36, 64, 2), cv2.COLOR_YUV2RGB_YUY2)
    assert np.abs(back[:, 2:-2].astype(int) - picture[:, 2:-2, :3]).max() <= 6
    assert sink.figures().pictures == 1
    sink.close()
    assert stand.open == 0


def test_black_and_white_are_the_ends_of_the_limited_range(devices):
    stand = Stand()
    sink = opened(stand, devices)
    for value in (0, 255):
        sink.write(np.full((36, 64, 4), value, np.uint8), 0.0)
    black, white = (np.frombuffer(data, np.uint8).reshape(-1, 2) for data in stand.written)
    assert set(black[:, 0]) == {16} and set(white[:, 0]) == {235}
    assert set(black[:, 1]) == set(white[:, 1]) == {128}


@pytest.mark.parametrize(
    ("shape", "box"), [((36, 36), (140, 360, 360)), ((64, 18), (0, 640, 180)), ((1280, 720), (0, 640, 360))]
)
def test_pictures_of_another_shape_get_borders_and_are_never_stretched(devices, shape, box):
    stand, (left, width, height) = Stand(), box
    sink = opened(stand, devices, size="640x360")
    sink.write(np.full((shape[1], shape[0], 4), 255, np.uint8), 0.0)
    luma = np.frombuffer(stand.written[0], np.uint8).reshape(360, 640, 2)[..., 0]
    ys, xs = np.nonzero(luma > 125)
    assert (xs.min(), xs.max() + 1 - xs.min(), ys.max() + 1 - ys.min()) == (left, width, height)
    assert ys.min() == (360 - height) // 2
    outside = np.delete(luma, np.unique(ys), 0), np.delete(luma, np.unique(xs), 1)
    assert all(not part.size or part.max() <= 17 for part in outside)


def test_the_size_may_change_while_it_runs(devices):
    stand = Stand()
    sink = opened(stand, devices, PictureFormat(65, 37, 30.0))
    assert (stand.asked["width"], stand.asked["height"]) == (64, 36)
    for width, height in ((65, 37), (31, 90), (1, 1)):
        sink.write(colors(width, height), 0.0)
    assert [len(data) for data in stand.written] == [64 * 36 * 2] * 3


@pytest.mark.parametrize(
    ("code", "stride", "size"),
    [
        (b"NV12", 32, 32 * 18 * 3 // 2),
        (b"YU12", 32, 32 * 18 * 3 // 2),
        (b"RGB3", 96, 32 * 18 * 3),
        (b"YUYV", 80, 80 * 18),
    ],
)
def test_a_device_that_keeps_its_own_format_gets_that(devices, code, stride, size):
    stand = Stand(takes=(32, 18, code, stride))
    sink = opened(stand, devices)
    picture = np.zeros((36, 64, 4), np.uint8)
    picture[..., 1:] = 255  # G and B
    sink.write(picture, 0.0)
    (data,) = stand.written
    assert len(data) == size
    if code == b"RGB3":
        assert data[:3] == bytes((0, 255, 255))
        return
    y, cb, cr = (round(v) for v in bt601_limited(np.array([0, 255, 255])))
    start = {b"NV12": (y, y, y, y), b"YU12": (y, y, y, y), b"YUYV": (y, cb, y, cr)}[code]
    assert np.abs(np.frombuffer(data[:4], np.uint8) - np.array(start, int)).max() <= 1
    if code in (b"NV12", b"YU12"):
        assert abs(data[32 * 18] - cb) <= 1 and abs(data[-1] - cr) <= 1
    if stride == 80:
        assert data[64:80] == bytes(16) and data[80:84] == data[:4]


def test_no_more_pictures_a_second_than_asked_for(devices):
    stand = Stand()
    sink = opened(stand, devices, PictureFormat(64, 36, 60.0), rate="30")
    for number in range(60):
        sink.write(colors(64, 36), 5.0 + number / 60 + (0.003 if number % 3 else 0.0))
    assert len(stand.written) == 30
    stand = Stand()
    sink = opened(stand, devices, PictureFormat(64, 36, 30.0), rate="30")
    for number in range(30):
        sink.write(colors(64, 36), number / 30 - (0.012 if number % 2 else 0.0))
    assert len(stand.written) == 30


# -- what goes wrong -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fails", "words"),
    [
        ({"open": errno.EBUSY}, "in use by another program"),
        ({v4l2.S_FMT: errno.EBUSY}, "in use by another program"),
        ({"open": errno.EACCES}, "group 'video'"),
        ({v4l2.S_FMT: errno.EINVAL}, "choose another size"),
        ({v4l2.S_FMT: errno.ENOTTY}, "modprobe v4l2loopback"),
        ({"open": errno.ENODEV}, "modprobe v4l2loopback"),
    ],
)
def test_a_device_that_cannot_be_had_says_what_to_do(devices, fails, words):
    stand = Stand(fails=fails)
    with pytest.raises(ExportError, match=words) as caught:
        opened(stand, devices, device=str(devices / "video0"))
    assert str(devices / "video0") in str(caught.value) and stand.open == 0


@pytest.mark.parametrize("rate", [float("nan"), float("inf"), 1e9, 0.0, -5.0])
def test_whatever_rate_a_source_says_it_has_the_device_gets_one(devices, rate):
    stand = Stand()
    target = Loopbacks(devices, stand).open("", (64, 36), rate)
    assert stand.rate == (2, 1000, 30_000)
    target.close()


def test_a_name_that_no_file_can_have_is_no_device(devices):
    assert "There is no" in Loopbacks(devices, Stand()).missing("/dev/" + "v" * 300)


def test_a_device_that_tells_no_rate_is_used_all_the_same(devices):
    stand = Stand(fails={v4l2.S_PARM: errno.ENOTTY})
    opened(stand, devices).write(colors(64, 36), 0.0)
    assert len(stand.written) == 1


def test_a_format_that_cannot_be_made_is_refused(devices):
    with pytest.raises(ExportError, match="320 x 240 as 'MJPG'"):
        opened(Stand(takes=(320, 240, b"MJPG", 0)), devices)


@pytest.mark.parametrize("number", [errno.ENODEV, errno.EIO])
def test_a_device_that_goes_midway_ends_the_output(devices, number):
    stand = Stand()
    sink = opened(stand, devices)
    sink.write(colors(64, 36), 0.0)
    stand.write_fails = number
    with pytest.raises(ExportError, match="is gone"):
        sink.write(colors(64, 36), 0.1)
    sink.close()
    assert stand.open == 0 and sink.figures().pictures == 1


def test_other_failures_of_a_device_are_said_too(devices):
    stand = Stand()
    sink = opened(stand, devices)
    stand.write_fails = errno.ENOMEM
    with pytest.raises(ExportError, match="takes no more frames"):
        sink.write(colors(64, 36), 0.0)
    stand.write_fails, stand.short = 0, 8
    with pytest.raises(ExportError, match="4600 of 4608 bytes"):
        sink.write(colors(64, 36), 0.0)


# -- which device --------------------------------------------------------------------------------------------


def of_kind(stands):
    """Opens the stand-in of each node's name."""

    def opens(path):
        if path.name not in stands:
            raise OSError(errno.ENOENT, "no such device")
        return stands[path.name](path)

    return opens


def test_webcams_and_parts_of_graphics_hardware_are_no_virtual_cameras(tmp_path):
    stands = {
        "video0": Stand(b"uvcvideo", CAPTURE),
        "video2": Stand(b"bcm2835-isp", OUTPUT_ONLY),
        "video10": Stand(caps=OUTPUT_ONLY | CAPTURE),
        "video3": Stand(fails={v4l2.QUERYCAP: errno.ENOTTY}),
    }
    for name in stands:
        (tmp_path / name).touch()
    cameras = Loopbacks(tmp_path, of_kind(stands))
    assert cameras.offered() == (str(tmp_path / "video10"), str(tmp_path / "video2"))
    assert cameras.missing("") == ""
    virtual_camera(cameras).open(virtual_camera(cameras).checked({}), SHOWN)
    assert stands["video10"].asked is not None and stands["video2"].asked is None
    assert all(not stand.open for name, stand in stands.items() if name != "video10")
    assert "takes no frames" in cameras.missing(str(tmp_path / "video0"))
    assert cameras.missing(str(tmp_path / "video2")) == ""
    assert "There is no" in cameras.missing(str(tmp_path / "video77"))


def test_without_a_device_it_says_what_to_install(tmp_path, monkeypatch):
    cameras = Loopbacks(tmp_path, of_kind({}))
    output = virtual_camera(cameras)
    text = output.missing(output.checked({}))
    assert "v4l2loopback-dkms" in text and "sudo modprobe v4l2loopback exclusive_caps=1" in text
    with pytest.raises(ExportError, match="modprobe"):
        output.open(output.checked({}), SHOWN)
    (tmp_path / "video0").touch()
    monkeypatch.setattr(v4l2.os, "access", lambda *_: False)
    assert "group 'video'" in cameras.missing("")


# -- elsewhere -----------------------------------------------------------------------------------------------


class Camera:
    """As pyvirtualcam's."""

    def __init__(self, width, height, fps, *, device=None, **more):
        assert not more
        if device == "none such":
            raise RuntimeError("'obs' backend: no such device")
        self.width, self.height, self.fps, self.device = width, height, fps, device
        self.sent, self.closed, self.broken = [], False, False

    def send(self, frame):
        if self.broken:
            raise RuntimeError("the camera is gone")
        assert frame.shape == (self.height, self.width, 3) and frame.dtype == np.uint8
        self.sent.append(frame)

    def close(self):
        self.closed = True


def installed():
    made = []
    module = types.SimpleNamespace(Camera=lambda **given: made.append(Camera(**given)) or made[-1])
    package = Package("pyvirtualcam", "virtual-camera", "", find=lambda name: True, load=lambda name: module)
    return virtual_camera(Installed(package)), made


def test_elsewhere_pyvirtualcam_gets_red_green_and_blue():
    output, made = installed()
    sink = output.open(output.checked({"size": "1280x720", "rate": "24"}), SHOWN)
    (camera,) = made
    assert (camera.width, camera.height, camera.fps, camera.device) == (1280, 720, 24.0, None)
    picture = colors(1280, 720)
    sink.write(picture, 0.0)
    assert np.array_equal(camera.sent[0], picture[..., :3])
    camera.broken = True
    with pytest.raises(ExportError, match="the camera is gone"):
        sink.write(picture, 1.0)
    sink.close()
    assert camera.closed


def test_elsewhere_it_says_what_to_install():
    package = Package("pyvirtualcam", "virtual-camera", "", find=lambda name: None)
    output = virtual_camera(Installed(package))
    text = output.missing(output.checked({}))
    assert "pip install '.[virtual-camera]'" in text and "OBS" in text
    with pytest.raises(ExportError, match="pip install"):
        output.open(output.checked({}), SHOWN)
    output, _ = installed()
    assert output.missing(output.checked({})) == ""
    with pytest.raises(ExportError, match="no such device"):
        output.open(output.checked({"device": "none such"}), SHOWN)


def test_pyvirtualcam_is_not_imported_before_it_is_switched_on():
    program = (
        "import sys; from desktop.outputs.live import live_outputs\n"
        "from desktop.outputs.live._pyvirtualcam import Installed\n"
        "live_outputs(); Installed().missing(''); print('pyvirtualcam' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=LIMIT_S
    )
    assert done.stdout.strip() == "False"


# -- as an output --------------------------------------------------------------------------------------------


def test_it_is_found_with_its_fields_and_asks_for_a_steady_rate():
    output = live_outputs()["virtual_camera"]
    values = output.checked({})
    assert values == {"device": "", "size": "as shown", "rate": "as shown"}
    assert 0 < output.repeat_s < 1 and not output.takes_audio and not output.overlay
    with pytest.raises(UsageError):
        output.checked({"size": "17x3"})


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, ()),
        ({"size": "1280x720"}, ("1280 x 720.",)),
        ({"size": "640x360", "rate": "25"}, ("640 x 360.", "30 frames per second it gets 25")),
        ({"rate": "60"}, ()),
    ],
)
def test_what_will_be_made_instead_is_said_before(values, words):
    output = virtual_camera(Loopbacks(Path("/nowhere")))
    notes = output.foresee(output.checked(values), SHOWN)
    assert len(notes) == len(words) and all(word in note for word, note in zip(words, notes, strict=True))
    (note,) = output.foresee(output.checked({"size": "640x360"}), PictureFormat(36, 64, 30.0))
    assert "black borders" in note


def test_a_sink_is_a_sink():
    sink = CameraSink(
        types.SimpleNamespace(size=(2, 2), pixel_format="rgb24", send=lambda f: None, close=lambda: None),
        Limit(),
    )
    sink.send_audio(np.zeros((1, 2), np.float32), 0.0)
    assert sink.figures().pictures == 0 and sink.figures().bits_per_second is None
