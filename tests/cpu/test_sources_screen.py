"""The screen as a source, on an X server of its own: windows of known colors are drawn by the protocol and
captured pixel for pixel.
"""

from __future__ import annotations

import contextlib
import shutil
import struct
import sys
import time

import numpy as np
import pytest
from waiting import until

import tasks
from desktop.base.errors import ScreenError, SourceUnsupportedError, UsageError
from desktop.media.sources import screen as screen_module
from desktop.media.sources._screen_x11 import X11Screens
from desktop.media.sources._x11 import Display
from desktop.media.sources.opening import open_source
from desktop.media.sources.screen import Box, ScreenSource, ScreenTarget, cropped, list_screens

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("Xvfb") is None, reason="needs Linux and Xvfb"
)

RED, GREEN, BLUE, GRAY = 0xE01020, 0x10C030, 0x2040F0, 0x808080
_CREATE, _ATTRIBUTES, _DESTROY, _MAP, _UNMAP, _CONFIGURE, _CHANGE_PROPERTY = 1, 2, 4, 8, 10, 12, 18
_CREATE_GC, _FILL, _WARP = 55, 70, 41
_SET_MONITOR = 43


class Desktop:
    """An X client of its own that draws; numbers and layouts of the requests are those of the X protocol."""

    def __init__(self, name: str) -> None:
        self.name, self.display = name, Display(name)
        self.root = self.display.root
        self.backend = X11Screens({"DISPLAY": name})

    def window(self, x, y, width, height, color, title="", pid=0):
        window = self.display.new_id()
        # CWBackPixel and CWOverrideRedirect; the depth and visual of the root.
        values = struct.pack("=II", color, 1)
        body = struct.pack("=IIhhHHHHII", window, self.root, x, y, width, height, 0, 1, 0, 0x2 | 0x200)
        self.display.send_checked(_CREATE, 0, body + values)
        if title:
            data = title.encode()
            self._property(window, b"_NET_WM_NAME", b"UTF8_STRING", 8, data, len(data))
        if pid:
            self._property(window, b"_NET_WM_PID", b"CARDINAL", 32, struct.pack("=I", pid), 1)
        self.display.send_checked(_MAP, 0, struct.pack("=I", window))
        return window

    def _property(self, window, name, kind, bits, data, count):
        atom, kind = self.display.atom(name), self.display.atom(kind)
        self.display.send_checked(
            _CHANGE_PROPERTY, 0, struct.pack("=IIIBxxxI", window, atom, kind, bits, count) + data
        )

    def listed(self, *windows):
        """Say what a window manager says."""
        data = struct.pack(f"={len(windows)}I", *windows)
        self._property(self.root, b"_NET_CLIENT_LIST", b"WINDOW", 32, data, len(windows))

    def fill(self, window, x, y, width, height, color):
        gc = self.display.new_id()
        self.display.send_checked(_CREATE_GC, 0, struct.pack("=IIII", gc, window, 0x4, color))
        self.display.send_checked(_FILL, 0, struct.pack("=IIhhHH", window, gc, x, y, width, height))

    def shape(self, window, x, y, width, height):
        self.display.send_checked(_CONFIGURE, 0, struct.pack("=IHxxiiII", window, 0xF, x, y, width, height))

    def act(self, request, window):
        self.display.send_checked(request, 0, struct.pack("=I", window))

    def pointer(self, x, y):
        self.display.send_checked(_WARP, 0, struct.pack("=IIhhHHhh", 0, self.root, 0, 0, 0, 0, x, y))

    def monitor(self, name, x, y, width, height, primary=False):
        body = struct.pack(
            "=IIBxHhhHHII", self.root, self.display.atom(name), primary, 0, x, y, width, height, 0, 0
        )
        self.display.send_checked(self.display.extension(b"RANDR"), _SET_MONITOR, body)

    def source(self, **target):
        return ScreenSource(ScreenTarget(**{"cursor": False, "rate": 60, **target}), self.backend)


@pytest.fixture(scope="module")
def server():
    with tasks.xvfb() as name:
        yield name


@pytest.fixture
def desktop(server):
    # Closing the connection destroys the windows; -noreset keeps properties of the root: the list is emptied.
    desktop = Desktop(server)
    desktop.pointer(1500, 950)
    yield desktop
    desktop.listed()
    desktop.display.close()


def pixels(frame):
    """The picture as the number that X has for each pixel: 0xRRGGBB. The reference reads bytes, not our
    formats.
    """
    assert frame.format.name == "bgr0" and frame.color.matrix == "rgb" and frame.color.range == "full"
    plane = frame.planes[0]
    data = np.frombuffer(plane.data, np.uint8)
    rows = [data[y * plane.stride : y * plane.stride + 4 * plane.width] for y in range(plane.height)]
    return np.stack(rows).view("<u4") & 0xFFFFFF


def first(source):
    frames = source.frames()
    with contextlib.closing(frames):
        return pixels(next(frames))


def test_a_monitor_is_captured_pixel_for_pixel(desktop):
    window = desktop.window(100, 50, 300, 200, RED)
    desktop.fill(window, 7, 11, 33, 44, GREEN)
    found = first(desktop.source())
    expected = np.zeros((1000, 1600), np.uint32)
    expected[50:250, 100:400] = RED
    expected[61:105, 107:140] = GREEN
    np.testing.assert_array_equal(found, expected)


def test_a_region_begins_at_the_monitors_corner(desktop):
    desktop.monitor(b"left", 0, 0, 800, 1000, primary=True)
    desktop.monitor(b"right", 800, 0, 800, 600)
    try:
        monitors, _ = list_screens(desktop.backend)
        assert [(m.number, m.name, m.box) for m in monitors] == [
            (1, "left", Box(0, 0, 800, 1000)),
            (2, "screen", Box(0, 0, 1600, 1000)),  # Xvfb's own
            (3, "right", Box(800, 0, 800, 600)),
        ]
        desktop.window(820, 30, 50, 40, BLUE)
        found = first(desktop.source(monitor=3, region=Box(15, 25, 61, 33)))
        expected = np.zeros((33, 61), np.uint32)
        expected[5:33, 5:55] = BLUE
        np.testing.assert_array_equal(found, expected)
        assert first(desktop.source(monitor=3)).shape == (600, 800)
        with pytest.raises(SourceUnsupportedError, match="800x600"):
            first(desktop.source(monitor=3, region=Box(700, 0, 101, 20)))
        with pytest.raises(ScreenError, match="no monitor 4: choose one from 1 to 3"):
            first(desktop.source(monitor=4))
    finally:
        opcode, delete = desktop.display.extension(b"RANDR"), 44
        for name in (b"left", b"right"):
            desktop.display.send_checked(
                opcode, delete, struct.pack("=II", desktop.root, desktop.display.atom(name))
            )


def test_the_cursor_is_there_or_not(desktop):
    desktop.window(0, 0, 200, 200, GRAY)
    desktop.pointer(100, 100)
    without = first(desktop.source(region=Box(0, 0, 200, 200)))
    assert (without == GRAY).all()
    with_it = first(desktop.source(region=Box(0, 0, 200, 200), cursor=True))
    rows, columns = np.nonzero(with_it != GRAY)
    assert rows.size and np.ptp(rows) < 40 and np.ptp(columns) < 40
    assert rows.min() - 20 <= 100 <= rows.max() + 20


def test_a_window_is_captured_whole_though_another_covers_it(desktop):
    under = desktop.window(100, 100, 160, 120, RED, "Under this")
    desktop.window(120, 110, 200, 200, BLUE, "Above")
    frames = desktop.source(window="under").frames()
    with contextlib.closing(frames):
        # What was covered before the server was asked to keep it is drawn by the program, as after an expose.
        next(frames)
        desktop.fill(under, 0, 0, 160, 120, RED)
        desktop.fill(under, 40, 30, 20, 10, GREEN)
        expected = np.full((120, 160), RED)
        expected[30:40, 40:60] = GREEN
        assert any(np.array_equal(pixels(next(frames)), expected) for _ in range(60))


def test_windows_are_listed_by_the_window_manager_and_without_our_own(desktop, monkeypatch):
    import os

    first_one = desktop.window(0, 0, 40, 30, RED, "Zeichnung – 1")
    second = desktop.window(0, 0, 50, 30, RED, "Second")
    ours = desktop.window(0, 0, 60, 30, RED, "Lightloom", pid=os.getpid())
    unlisted = desktop.window(0, 0, 70, 30, RED, "A menu")
    _, everything = list_screens(desktop.backend)
    assert {one.id for one in everything} == {f"{first_one:#x}", f"{second:#x}", f"{unlisted:#x}"}
    desktop.listed(first_one, second, ours)
    _, windows = list_screens(desktop.backend)
    assert [(one.id, one.title, one.box) for one in windows] == [
        (f"{second:#x}", "Second", Box(0, 0, 50, 30)),
        (f"{first_one:#x}", "Zeichnung – 1", Box(0, 0, 40, 30)),
    ]
    assert first(desktop.source(window=f"{first_one:#x}")).shape == (30, 40)
    with pytest.raises(ScreenError, match="no window called Third"):
        first(desktop.source(window="Third"))


def test_a_window_is_followed_as_it_moves_and_changes_its_size(desktop):
    window = desktop.window(10, 10, 120, 80, GREEN, "Moving")
    source = desktop.source(window="Moving")
    source.start()
    try:
        got = []

        def sees(shape):
            frame = source.take(time.perf_counter())
            if frame is not None:
                got.append(pixels(frame))
            return bool(got) and got[-1].shape == shape and (got[-1] == GREEN).all()

        until(lambda: sees((80, 120)), lambda: source.error)
        until(lambda: source.state == "live", lambda: source.error)  # said after the first picture
        assert source.info.title == "Moving" and source.info.size == (120, 80)
        desktop.shape(window, 500, 300, 120, 80)
        got.clear()
        until(lambda: sees((80, 120)), lambda: source.error)
        for width, height in ((61, 33), (300, 200)):
            desktop.shape(window, 500, 300, width, height)
            until(lambda size=(height, width): sees(size), lambda: source.error)
            assert source.state == "live" and source.info.size == (width, height)
    finally:
        source.close()


def test_a_window_that_is_minimized_comes_back_and_a_closed_one_ends_it(desktop, monkeypatch):
    monkeypatch.setattr(screen_module, "_RETRY", 0.05)
    window = desktop.window(10, 10, 120, 80, GREEN, "Short-lived")
    source = desktop.source(window="Short-lived")
    source.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        desktop.act(_UNMAP, window)
        assert until(lambda: source.state == "lost")
        assert isinstance(source.error, ScreenError) and source.error.state == "hidden"
        assert str(source.error) == "The window Short-lived is minimized: open it again."
        desktop.act(_MAP, window)
        assert until(lambda: source.state == "live" and source.error is None)
        desktop.act(_DESTROY, window)
        assert until(lambda: source.state == "failed")
        assert str(source.error) == "The window Short-lived was closed: open another one."
    finally:
        source.close()


def test_an_id_that_no_window_here_can_have_is_said(desktop):
    source = desktop.source(window="0x1ffffffff")
    with pytest.raises(ScreenError, match="no window called 0x1ffffffff"):
        next(source.frames())
    source.start()
    until(lambda: source.state == "failed", lambda: source.state)
    source.close()


def test_a_title_is_one_line_whatever_the_window_is_called(desktop):
    desktop.window(0, 0, 40, 30, RED, "Bank\n\x1b[2J\u202eexe.txt")
    desktop.window(0, 0, 40, 30, RED, "é" * 500_000)
    # In Latin letters by the older property, and bytes that are no UTF-8.
    window = desktop.window(0, 0, 40, 30, RED, "x")
    desktop._property(window, b"_NET_WM_NAME", b"UTF8_STRING", 8, b"\xff\xfe\0abc", 6)
    _, windows = list_screens(desktop.backend)
    titles = [one.title for one in windows]
    assert "Bank\\n\\x1b[2J\\u202eexe.txt" in titles and len(titles) == 3
    assert all(len(title) <= 1024 and title.isprintable() for title in titles)


def test_every_picture_of_a_window_until_it_is_closed(desktop):
    window = desktop.window(10, 10, 120, 80, GREEN, "Batch")
    source = desktop.source(window="Batch")
    shapes = []
    for frame in source.frames():
        shapes.append((frame.width, frame.height))
        if len(shapes) == 3:
            desktop.shape(window, 10, 10, 64, 48)
        if shapes[-1] == (64, 48):
            desktop.act(_DESTROY, window)
        assert len(shapes) < 600
    assert shapes[:3] == [(120, 80)] * 3 and shapes[-1] == (64, 48)
    assert str(source.error) == "The window Batch was closed: open another one."


def test_the_rate_does_not_drift(desktop):
    frames = desktop.source(region=Box(0, 0, 64, 64), rate=50).frames()
    with contextlib.closing(frames):
        times = [next(frames).pts for _ in range(81)]
    # x11grab stamps a picture when it is taken, and none is taken before it is due: a clock that gained time
    # would be ahead. The most punctual of each half are compared, since any of them, the first too, may be
    # late.
    late = [seconds - number / 50 for number, seconds in enumerate(times)]
    assert min(late[40:]) > min(late[:40]) - 1 / 50 and np.all(np.diff(times) >= 0)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "no screen to capture"),
        ({"DISPLAY": ":64123"}, "can't be read"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "Wayland"),
        ({"XDG_SESSION_TYPE": "wayland"}, "Wayland"),
    ],
)
def test_without_a_screen_there_is_a_sentence(environment, said):
    source = ScreenSource(backend=X11Screens(environment))
    with pytest.raises(ScreenError, match=said) as caught:
        next(source.frames())
    assert caught.value.state == "denied"
    source.start()
    assert until(lambda: source.state == "failed") and str(source.error) == str(caught.value)
    source.close()


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("screen", ScreenTarget()),
        ("screen:", ScreenTarget()),
        ("screen:2", ScreenTarget(2)),
        ("screen:2@60", ScreenTarget(2, rate=60)),
        ("screen:100,50,640,480,cursor=off", ScreenTarget(region=Box(100, 50, 640, 480), cursor=False)),
        ("screen:3:0,0,64,48@15", ScreenTarget(3, Box(0, 0, 64, 48), rate=15)),
        ("screen:window=Editor – a@b.txt", ScreenTarget(window="Editor – a@b.txt")),
        ("screen:window=0x3a00007@5,cursor=off", ScreenTarget(window="0x3a00007", rate=5, cursor=False)),
    ],
)
def test_addresses(text, target):
    source = open_source(text)
    assert isinstance(source, ScreenSource) and source.target == target and source.state == "idle"
    assert open_source(target.address).target == target


@pytest.mark.parametrize(
    "text",
    [
        "screen:left",
        "screen:1,2,3",
        "screen:window=",
        "screen:5,5,0,9",
        "screen:@0",
        "screen:1@241",
        "screen:2 1,2,3,4",
    ],
)
def test_addresses_that_are_none(text):
    with pytest.raises(UsageError):
        open_source(text)


def test_a_part_of_a_picture_is_cut_out_where_the_system_delivers_all(desktop):
    window = desktop.window(0, 0, 90, 70, RED)
    desktop.fill(window, 30, 20, 17, 13, BLUE)
    frames = desktop.source(region=Box(0, 0, 90, 70)).frames()
    with contextlib.closing(frames):
        frame = next(frames)
        found = cropped(frame, Box(28, 20, 62, 50))
        plane = found.planes[0]
        assert (found.width, found.height) == (plane.width, plane.height) == (62, 50)
        rows = np.lib.stride_tricks.as_strided(
            np.frombuffer(plane.data, np.uint8), (50, 62 * 4), (plane.stride, 1), writeable=False
        )
        expected = pixels(frame)[20:70, 28:90]
        np.testing.assert_array_equal(np.ascontiguousarray(rows).view("<u4") & 0xFFFFFF, expected)
        assert len(plane.data) == 49 * plane.stride + 62 * 4
        with pytest.raises(SourceUnsupportedError):
            cropped(frame, Box(30, 0, 61, 10))
