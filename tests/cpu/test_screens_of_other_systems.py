"""Screens of Windows and macOS, with stand-ins for the systems' libraries: what is asked, and what is made of
the answers.
"""

from __future__ import annotations

import ctypes
import os

import pytest

from desktop.base.errors import ScreenError
from desktop.media.sources import _screen_macos, _screen_windows
from desktop.media.sources._screen_backends import find_monitor, find_window
from desktop.media.sources._screen_values import Box, Monitor, ScreenWindow, Shot


class Function:
    """A function of a library: has argtypes and restype, as ctypes' own."""

    def __init__(self, call):
        self.call, self.argtypes, self.restype = call, None, None

    def __call__(self, *arguments):
        return self.call(*arguments)


class Library:
    """What a test gives as its functions; any other one answers 1 and notes that it was called."""

    def __init__(self, **functions):
        self.called: list[tuple[str, tuple[object, ...]]] = []
        for name, call in functions.items():
            setattr(self, name, Function(call))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        function = Function(lambda *arguments: self.called.append((name, arguments)) or 1)
        setattr(self, name, function)
        return function


@pytest.fixture
def opened():
    """What was opened by libavdevice."""
    return []


def opener(opened):
    return lambda file, **arguments: opened.append((file, arguments)) or "open"


MONITORS = {11: (-1920, 0, 0, 1080, 0, "\\\\.\\DISPLAY2"), 12: (0, 0, 2560, 1440, 1, "\\\\.\\DISPLAY1")}
# Title, client area, minimized, visible, cloaked, process.
WINDOWS = {
    0x101: ("Editor", (640, 480), False, True, False, 7),
    0x102: ("Hidden", (640, 480), False, False, False, 7),
    0x103: ("Elsewhere", (640, 480), False, True, True, 7),
    0x104: ("Ours", (640, 480), False, True, False, os.getpid()),
    0x105: ("", (640, 480), False, True, False, 7),
    0x106: ("Editor 2", (0, 0), True, True, False, 7),
}


@pytest.fixture
def windows(opened):
    def info(monitor, reference):
        target = reference.contents
        assert target.size == ctypes.sizeof(target) == 104
        left, top, right, bottom, target.flags, name = MONITORS[monitor]
        target.device = type(target.device)(*map(ord, name))
        target.monitor = type(target.monitor)(left, top, right, bottom)
        return 1

    def title(window, buffer, length):
        buffer.value = WINDOWS[window][0][:length]

    def owner(window, reference):
        reference.contents.value = WINDOWS[window][5]

    def client(window, reference):
        reference.contents.right, reference.contents.bottom = WINDOWS[window][1]

    def cloaked(window, attribute, reference, size):
        assert (attribute, size) == (14, 4)
        reference.contents.value = WINDOWS[window][4]

    user = Library(
        EnumDisplayMonitors=lambda dc, clip, call, data: [
            call(monitor, None, None, None) for monitor in MONITORS
        ],
        GetMonitorInfoW=info,
        EnumWindows=lambda call, data: [call(window, None) for window in WINDOWS],
        GetWindowTextW=title,
        GetWindowThreadProcessId=owner,
        GetClientRect=client,
        IsWindow=lambda window: window in WINDOWS,
        IsWindowVisible=lambda window: WINDOWS[window][3],
        IsIconic=lambda window: WINDOWS[window][2],
    )
    system = _screen_windows.WindowsLibraries(user, Library(DwmGetWindowAttribute=cloaked), ctypes.CFUNCTYPE)
    screens = _screen_windows.WindowsScreens(system, opener(opened))
    yield screens
    # Each call is made by a thread that counts in physical pixels.
    assert user.called[0] == ("SetThreadDpiAwarenessContext", (-4,))


def test_monitors_and_windows_of_windows(windows):
    assert windows.monitors() == [
        Monitor(1, "DISPLAY1", Box(0, 0, 2560, 1440)),
        Monitor(2, "DISPLAY2", Box(-1920, 0, 1920, 1080)),
    ]
    assert windows.windows() == [
        ScreenWindow("0x101", "Editor", Box(0, 0, 640, 480)),
        ScreenWindow("0x106", "Editor 2", Box(0, 0, 0, 0)),
    ]
    assert windows.place("0x999") is None


def test_what_windows_opens(windows, opened):
    assert windows.open(find_monitor(windows, 2, Box(10, 20, 64, 48)), 25, False) == "open"
    window = find_window(windows, "editor")

    windows.open(Shot("window", window.id, window.title, window.box), 60, True)
    both = {"framerate": "25", "draw_mouse": "0", "fpsprobesize": "0"}
    place = {"offset_x": "-1910", "offset_y": "20", "video_size": "64x48"}
    assert opened == [
        ("desktop", {"format": "gdigrab", "options": {**both, **place}}),
        ("hwnd=0x101", {"format": "gdigrab", "options": {**both, "framerate": "60", "draw_mouse": "1"}}),
    ]


def test_a_callback_is_taken_as_an_address():
    """ctypes takes a function of its own where `WindowsScreens` declares a plain pointer: qsort, with one,
    sorts.
    """
    try:
        sort = ctypes.CDLL(None).qsort
    except (OSError, TypeError, AttributeError):
        pytest.skip("no C library by that way")
    sort.argtypes, sort.restype = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p), None
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    sort(numbers, 3, 4, kind(lambda a, b: a[0] - b[0]))
    assert list(numbers) == [1, 2, 3]


@pytest.fixture
def graphics():
    def displays(most, found, count):
        found[0], found[1], count.contents.value = 70, 71, 2

    boxes = {70: (0, 0, 1440, 900), 71: (1440, 0, 1920, 1080)}
    library = Library(
        CGGetActiveDisplayList=displays,
        CGDisplayBounds=lambda display: _screen_macos.Rect(*boxes[display]),
        # The second one tells of no mode.
        CGDisplayCopyDisplayMode=lambda display: 700 if display == 70 else None,
        CGDisplayModeGetPixelWidth=lambda mode: 2880,
        CGDisplayModeGetPixelHeight=lambda mode: 1800,
        CGPreflightScreenCaptureAccess=lambda: library.allowed,
    )
    library.allowed = True
    return library


def test_displays_of_macos_are_in_pixels(graphics):
    screens = _screen_macos.MacScreens(graphics)
    assert screens.monitors() == [
        Monitor(1, "", Box(0, 0, 2880, 1800)),
        Monitor(2, "", Box(1440, 0, 1920, 1080)),
    ]
    assert graphics.called == [("CGDisplayModeRelease", (700,))]
    assert screens.windows() == [] and screens.place("0x1") is None
    with pytest.raises(ScreenError, match="Single windows"):
        find_window(screens, "Editor")


def test_what_macos_opens(graphics, opened):
    class Device:
        def __init__(self, name, description):
            self.name, self.description = name, description

    devices = [Device("0", "FaceTime"), Device("1", "Capture screen 0"), Device("2", "Capture screen 1")]
    screens = _screen_macos.MacScreens(graphics, lambda form: devices, opener(opened))
    screens.open(find_monitor(screens, 2, None), 30, True)
    options = {"framerate": "30", "capture_cursor": "1", "pixel_format": "bgr0"}
    assert opened == [("2:none", {"format": "avfoundation", "options": options})]
    del devices[1:]
    with pytest.raises(OSError, match="Capture screen 1"):
        screens.open(find_monitor(screens, 2, None), 30, True)


def test_without_the_permission_macos_is_asked_for_it(graphics):
    screens = _screen_macos.MacScreens(graphics)
    graphics.allowed = False
    with pytest.raises(ScreenError, match="System Settings > Privacy & Security") as caught:
        screens.open(find_monitor(screens, 1, None), 30, True)
    assert caught.value.state == "denied"
    assert ("CGRequestScreenCaptureAccess", ()) in graphics.called
