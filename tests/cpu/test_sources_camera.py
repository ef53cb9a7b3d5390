"""Cameras through a stand-in at the lowest level: FFmpeg's lavfi input device delivers the pictures, all
above it is real.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
import time
from pathlib import Path

import av
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import CameraError, SourceUnsupportedError
from desktop.media import v4l2
from desktop.media.sources._camera_backends import (
    AvFoundation,
    DirectShow,
    Video4Linux,
    parse_avfoundation_modes,
    parse_dshow_modes,
)
from desktop.media.sources.camera import (
    CameraInfo,
    CameraMode,
    CameraSource,
    CameraWatcher,
    best_mode,
    list_modes,
)

FRONT = CameraInfo("usb:front", "Front Camera", "/dev/video0")
REAR = CameraInfo("usb:rear", "Rear Camera", "/dev/video2")
MODES = [CameraMode(160, 120, 30.0, "yuv420p")]


class Unpluggable:
    """A lavfi container that raises what a driver raises once the camera is gone."""

    def __init__(self, backend, container):
        self.backend, self.container, self.streams = backend, container, container.streams

    def demux(self, stream):
        for packet in self.container.demux(stream):
            if self.backend.failure is not None:
                raise self.backend.failure
            yield packet

    def close(self):
        self.backend.closed += 1
        self.container.close()


class StandIn(Video4Linux):
    def __init__(self, *plugged, refuse=None):
        super().__init__()
        self.plugged, self.refuse, self.failure = list(plugged), refuse, None
        self.opened, self.closed, self.needs_permission = [], 0, False

    def cameras(self):
        return list(self.plugged)

    def modes(self, camera):
        return MODES

    def open(self, camera, mode):
        self.opened.append((camera, mode))
        if self.refuse is not None:
            raise self.refuse
        size = f"{mode.width}x{mode.height}" if mode else "160x120"
        return Unpluggable(self, av.open(f"testsrc2=size={size}:rate=30,realtime", format="lavfi"))


def next_frame(source):
    found = []
    assert until(
        lambda: (frame := source.take(time.perf_counter())) is not None and not found.append(frame)
    ), source.error
    return found[0]


def test_a_camera_goes_live_and_is_released():
    backend = StandIn(FRONT, REAR)
    source = CameraSource("rear", backend=backend)
    assert source.capabilities.controls is source and source.state == "idle" and not backend.opened
    states = []
    source.on_change = lambda: states.append(source.state)
    begun = time.perf_counter()
    source.start()
    frame = next_frame(source)
    assert source.state == "live" and source.error is None
    assert backend.opened == [(REAR, MODES[0])]
    assert source.info.title == "Rear Camera" and source.info.live and source.info.size == (160, 120)
    assert source.info.rate == 30.0
    assert begun <= frame.captured_at <= time.perf_counter()
    # The pictures are lavfi's own, bit for bit.
    with av.open("testsrc2=size=160x120:rate=30", format="lavfi") as reference:
        expected = [
            bytes(picture.planes[0])
            for picture, _ in zip(reference.decode(video=0), range(300), strict=False)
        ]
    assert bytes(frame.planes[0].data) == expected[frame.index]
    source.close()
    assert source.state == "closed" and backend.closed == 1
    assert states[0] == "opening" and "live" in states


def test_a_name_of_two_cameras_is_refused_with_their_ids():
    """The first one would be a guess."""
    twins = [CameraInfo(f"usb:{n}", "HD Webcam C920", f"/dev/video{n}") for n in (0, 2)]
    backend = StandIn(*twins, CameraInfo("usb:long", "Rear Camera 2", "/dev/video4"), REAR)
    source = CameraSource("c920", backend=backend)
    source.start()
    until(lambda: source.state == "failed")
    source.close()
    assert not backend.opened and "2 cameras" in str(source.error)
    assert str(source.error).endswith("give the id of one: usb:0, usb:2.")
    for wanted, opened in (
        ("usb:2", twins[1]),
        ("rear camera", REAR),
        ("camera 2", backend.plugged[2]),
        ("", twins[0]),
    ):
        source = CameraSource(wanted, backend=backend)
        source.start()
        next_frame(source)
        source.close()
        assert backend.opened.pop()[0] == opened


def test_opening_does_not_block():
    hangs = threading.Event()

    class Hanging(StandIn):
        def open(self, camera, mode):
            hangs.wait(LIMIT_S)
            return super().open(camera, mode)

    source = CameraSource(backend=Hanging(FRONT))
    before = set(threading.enumerate())
    source.start()
    (thread,) = set(threading.enumerate()) - before
    assert source.state == "opening"
    assert source.take(time.perf_counter()) is None
    source.close()
    assert thread.is_alive()
    hangs.set()
    until(lambda: not thread.is_alive())


def test_permission_is_asked_for():
    class Asking(StandIn):
        def open(self, camera, mode):
            assert until(lambda: "asking" in states)
            return super().open(camera, mode)

    backend, states = Asking(FRONT), []
    backend.needs_permission = True
    source = CameraSource(backend=backend)
    source.on_change = lambda: states.append(source.state)
    source.start()
    next_frame(source)
    source.close()
    assert states.index("opening") < states.index("asking") < states.index("live")


@pytest.mark.parametrize(
    ("number", "state", "words"),
    [
        (errno.EBUSY, "busy", "in use by another program: close"),
        (errno.EACCES, "denied", "may not be used: add yourself to the group"),
    ],
)
def test_refusals_say_what_to_do(number, state, words):
    backend = StandIn(FRONT, refuse=OSError(number, os.strerror(number)))
    source = CameraSource(backend=backend)
    source.start()
    assert until(lambda: source.state == "failed")
    error = source.error
    assert (
        isinstance(error, CameraError)
        and error.state == state
        and words in str(error)
        and "Front Camera" in str(error)
    )
    if state == "busy":
        backend.refuse = None
        next_frame(source)
        assert source.state == "live" and source.error is None
    source.close()
    if state == "denied":
        assert len(backend.opened) == 1, "a denied camera is not asked again and again"


def test_a_mode_that_the_camera_refuses():
    source = CameraSource(
        mode=CameraMode(7, 5, 1, "gray"),
        backend=StandIn(FRONT, refuse=av.error.ArgumentError(errno.EINVAL, "x")),
    )
    source.start()
    assert until(lambda: source.state == "failed")
    source.close()
    assert isinstance(source.error, SourceUnsupportedError) and "7x5 gray" in str(source.error)


def test_unplugged_and_plugged_in_again_elsewhere():
    backend = StandIn(FRONT, REAR)
    source = CameraSource("usb:rear", backend=backend)
    source.start()
    next_frame(source)
    backend.plugged, backend.failure = [FRONT], OSError(errno.ENODEV, "No such device")
    assert until(lambda: source.state == "lost")
    assert isinstance(source.error, CameraError) and source.error.state == "lost"
    assert str(source.error) == "The camera Rear Camera was unplugged: plug it in again."
    while source.take(time.perf_counter()):
        pass
    backend.failure = None
    backend.plugged.append(CameraInfo(REAR.id, REAR.name, "/dev/video7"))
    next_frame(source)
    source.close()
    assert source.error is None and backend.opened[-1][0].device == "/dev/video7"
    assert all(camera.id == REAR.id for camera, _ in backend.opened)


def test_no_camera_at_all_then_one():
    backend = StandIn()
    source = CameraSource(backend=backend)
    source.start()
    assert until(lambda: source.state == "lost")
    assert str(source.error) == "No camera is connected: plug one in."
    backend.plugged.append(FRONT)
    next_frame(source)
    source.close()


def test_a_silent_camera_is_lost():
    again = threading.Event()

    class Silent(StandIn):
        def open(self, camera, mode):
            container = super().open(camera, mode)
            original = container.demux

            def demux(stream):
                for k, packet in enumerate(original(stream)):
                    if k == 3:
                        again.wait(LIMIT_S)
                    yield packet

            container.demux = demux
            return container

    source = CameraSource(backend=Silent(FRONT))
    source.start()
    next_frame(source)
    assert until(lambda: source.take(time.perf_counter()) is None and source.state == "lost")
    assert "sends no frames any more" in str(source.error)
    again.set()
    next_frame(source)
    assert until(lambda: source.state == "live")
    source.close()


def test_a_device_without_news_is_asked_again():
    """avfoundation answers EAGAIN between frames, which uses up PyAV's iterator."""

    class Polled(Unpluggable):
        calls = 0

        def demux(self, stream):
            Polled.calls += 1
            if Polled.calls % 2:
                raise av.error.BlockingIOError(errno.EAGAIN, "again")
            yield next(self.container.demux(stream))
            raise av.error.BlockingIOError(errno.EAGAIN, "again")

    class Backend(StandIn):
        def open(self, camera, mode):
            return Polled(self, super().open(camera, mode).container)

    source = CameraSource(backend=Backend(FRONT))
    source.start()
    for _ in range(5):
        next_frame(source)
    assert source.state == "live"
    source.close()
    assert Polled.calls >= 10


def test_watcher_reports_plugging():
    backend, seen = StandIn(FRONT), []
    watcher = CameraWatcher(seen.append, backend, interval=0.02)
    watcher.start()
    assert until(lambda: seen == [[FRONT]])
    backend.plugged.append(REAR)
    assert until(lambda: len(seen) == 2) and seen[1] == [FRONT, REAR] == watcher.cameras
    backend.plugged.remove(FRONT)
    assert until(lambda: len(seen) == 3) and seen[2] == [REAR]
    watcher.close()
    backend.plugged.clear()
    time.sleep(0.1)
    assert len(seen) == 3


WEBCAM = [
    CameraMode(640, 480, 30, "yuyv422"),
    CameraMode(1280, 720, 10, "yuyv422"),
    CameraMode(1280, 720, 30, "mjpeg"),
    CameraMode(1280, 720, 30, "h264"),
    CameraMode(1920, 1080, 5, "yuyv422"),
    CameraMode(1920, 1080, 30, "mjpeg"),
]


@pytest.mark.parametrize(
    ("size", "rate", "best"),
    [
        ((1280, 720), 30, CameraMode(1280, 720, 30, "mjpeg")),
        ((1920, 1080), 30, CameraMode(1920, 1080, 30, "mjpeg")),
        ((640, 480), 30, CameraMode(640, 480, 30, "yuyv422")),
        ((1280, 720), 10, CameraMode(1280, 720, 10, "yuyv422")),
        ((1920, 1080), 5, CameraMode(1920, 1080, 5, "yuyv422")),
    ],
)
def test_best_mode(size, rate, best):
    assert best_mode(WEBCAM, size, rate) == best == best_mode(reversed(WEBCAM), size, rate)
    assert best_mode([]) is None


def test_modes_are_listed_largest_first():
    class Many(StandIn):
        def modes(self, camera):
            return [*WEBCAM, WEBCAM[0]]

    modes = list_modes(FRONT, Many(FRONT))
    assert len(modes) == 6 and modes[0] == WEBCAM[5] and modes[-1] == WEBCAM[0]


# The kernel's structures once more, by ctypes, as an independent reference for `struct`'s layouts.
class Capability(ctypes.Structure):
    _fields_ = [("driver", ctypes.c_char * 16), ("card", ctypes.c_char * 32), ("bus", ctypes.c_char * 32)]
    _fields_ += [
        ("version", ctypes.c_uint32),
        ("caps", ctypes.c_uint32),
        ("own", ctypes.c_uint32),
        ("r", ctypes.c_uint32 * 3),
    ]


class FmtDesc(ctypes.Structure):
    _fields_ = [("index", ctypes.c_uint32), ("type", ctypes.c_uint32), ("flags", ctypes.c_uint32)]
    _fields_ += [
        ("description", ctypes.c_char * 32),
        ("fourcc", ctypes.c_char * 4),
        ("mbus", ctypes.c_uint32),
    ]
    _fields_ += [("reserved", ctypes.c_uint32 * 3)]


class FrmSize(ctypes.Structure):
    _fields_ = [("index", ctypes.c_uint32), ("fourcc", ctypes.c_char * 4), ("type", ctypes.c_uint32)]
    _fields_ += [("values", ctypes.c_uint32 * 6), ("reserved", ctypes.c_uint32 * 2)]


class FrmIval(ctypes.Structure):
    _fields_ = [("index", ctypes.c_uint32), ("fourcc", ctypes.c_char * 4), ("width", ctypes.c_uint32)]
    _fields_ += [("height", ctypes.c_uint32), ("type", ctypes.c_uint32), ("values", ctypes.c_uint32 * 6)]
    _fields_ += [("reserved", ctypes.c_uint32 * 2)]


def iowr(direction, number, size):
    return direction << 30 | size << 16 | ord("V") << 8 | number


def test_v4l2_numbers():
    assert iowr(2, 0, ctypes.sizeof(Capability)) == v4l2.QUERYCAP
    assert iowr(3, 2, ctypes.sizeof(FmtDesc)) == v4l2.ENUM_FMT
    assert iowr(3, 74, ctypes.sizeof(FrmSize)) == v4l2.ENUM_FRAMESIZES
    assert iowr(3, 75, ctypes.sizeof(FrmIval)) == v4l2.ENUM_FRAMEINTERVALS
    # What is written to a device is in test_virtual_camera.py.


CAPTURE, META, STREAMING, OWN = 0x1, 0x00800000, 0x04000000, 0x80000000


class Kernel:
    """Answers the four ioctls for two nodes of a webcam: pictures and metadata."""

    def __init__(self):
        self.formats = [b"MJPG", b"YUYV", b"XXXX"]
        self.node = {}

    def __call__(self, descriptor, request, data):
        meta = "video1" in str(Path(f"/proc/self/fd/{descriptor}").readlink())
        if request == v4l2.QUERYCAP:
            own = (META if meta else CAPTURE) | STREAMING
            both = CAPTURE | META | STREAMING | OWN
            data[:] = bytes(
                Capability(b"uvcvideo", b"HD Webcam: HD Webcam", b"usb-0000:00:14.0-1", 0x60100, both, own)
            )
        elif request == v4l2.ENUM_FMT:
            asked = FmtDesc.from_buffer(data)
            if asked.index >= len(self.formats):
                raise OSError(errno.EINVAL, "no more")
            assert asked.type == 1
            asked.fourcc = self.formats[asked.index]
        elif request == v4l2.ENUM_FRAMESIZES:
            asked = FrmSize.from_buffer(data)
            if asked.fourcc == b"YUYV":
                asked.type, asked.values[:] = 3, (160, 1280, 16, 120, 720, 8)
            elif asked.index < 2:
                asked.type = 1
                asked.values[:2] = ((1920, 1080), (1280, 720))[asked.index]
            else:
                raise OSError(errno.EINVAL, "no more")
        elif request == v4l2.ENUM_FRAMEINTERVALS:
            asked = FrmIval.from_buffer(data)
            if asked.fourcc == b"YUYV":
                raise OSError(errno.ENOTTY, "not told")
            if asked.index > 1:
                raise OSError(errno.EINVAL, "no more")
            asked.type = 1
            asked.values[:2] = ((1, 30), (1001, 15000))[asked.index]


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the stand-in tells nodes apart by Linux's /proc"
)
def test_v4l2_finds_cameras_and_modes(tmp_path):
    for name in ("video0", "video1", "video10"):
        (tmp_path / name).touch()
    by_id = tmp_path / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-Maker_HD_Webcam_1234-video-index0").symlink_to(tmp_path / "video0")
    found = v4l2.find(tmp_path, Kernel())
    # video1 and video10 hold metadata.
    assert found == [
        v4l2.CameraNode(
            "usb:usb-Maker_HD_Webcam_1234-video-index0", "HD Webcam: HD Webcam", tmp_path / "video0"
        )
    ]
    with v4l2.Node(tmp_path / "video0", Kernel()) as node:
        modes = node.modes()
    assert modes[:2] == [CameraMode(1920, 1080, 30.0, "mjpeg"), CameraMode(1920, 1080, 15000 / 1001, "mjpeg")]
    raw = [mode for mode in modes if mode.pixel_format == "yuyv422"]
    assert [(mode.width, mode.height) for mode in raw] == [
        (320, 240),
        (640, 360),
        (640, 480),
        (800, 600),
        (1280, 720),
    ]
    assert all(mode.rate == 0.0 for mode in raw)
    assert {mode.pixel_format for mode in modes} == {"mjpeg", "yuyv422"}


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the stand-in tells nodes apart by Linux's /proc"
)
def test_v4l2_ids_without_udev_are_ports(tmp_path):
    for name in ("video0", "video2"):
        (tmp_path / name).touch()
    found = v4l2.find(tmp_path, Kernel())
    assert [one.id for one in found] == ["port:usb-0000:00:14.0-1#0", "port:usb-0000:00:14.0-1#1"]


def test_nodes_that_are_no_cameras_are_passed_over(tmp_path):
    (tmp_path / "video0").touch()
    backend = Video4Linux(tmp_path)
    assert backend.cameras() == []
    assert backend.modes(CameraInfo("x", "x", str(tmp_path / "video9"))) == []


DSHOW_LOG = """[dshow @ 0000] DirectShow video device options (from video devices)
[dshow @ 0000]  Pin "Capture" (alternative pin name "0")
  pixel_format=yuyv422  min s=640x480 fps=5 max s=640x480 fps=30
  pixel_format=yuyv422  min s=640x480 fps=5 max s=640x480 fps=30 (tv, bt470bg/bt709/unknown, topleft)
  vcodec=mjpeg  min s=1280x720 fps=5 max s=1280x720 fps=30.0003
  unknown compression type 0x3253344D  min s=1280x720 fps=5 max s=1280x720 fps=30
"""
AVFOUNDATION_LOG = """Selected video size (2x2) is not supported by the device.
Supported modes:
  1920x1080@[15.000000 30.000030]fps
  1280x720@[1.000000 60.000240]fps
"""


def test_modes_from_logs():
    assert parse_dshow_modes(DSHOW_LOG) == [
        CameraMode(640, 480, 30.0, "yuyv422"),
        CameraMode(1280, 720, 30.0, "mjpeg"),
    ]
    assert parse_avfoundation_modes(AVFOUNDATION_LOG) == [
        CameraMode(1920, 1080, 30.0, ""),
        CameraMode(1280, 720, 60.0, ""),
    ]
    assert parse_dshow_modes("nonsense") == [] == parse_avfoundation_modes("")


def test_what_errors_mean_on_each_system():
    io = av.error.OSError(errno.EIO, "I/O error")
    assert AvFoundation().explain(io) == "denied"
    assert DirectShow().explain(io) == "busy"
    assert Video4Linux().explain(io) == "lost"
    for backend in (AvFoundation(), DirectShow(), Video4Linux()):
        assert backend.explain(OSError(errno.EBUSY, "")) == "busy"
        assert all(len(backend.hint(state)) > 10 for state in ("denied", "busy", "lost"))
