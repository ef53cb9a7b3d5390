"""Global shortcuts: through a stand-in for the system, and on X11 with keys that another program sends."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from desktop.base.errors import HotkeyError, UsageError
from desktop.ui.features.hotkeys.chord import Chord, read_chord
from desktop.ui.features.hotkeys.hotkeys import Hotkeys, window_actions
from desktop.ui.features.hotkeys.settings import HotkeySettings
from desktop.ui.features.hotkeys.system import HotkeySystem, find_system
from desktop.ui.features.hotkeys.systems.windows import WindowsHotkeys
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages, Notice


class StandIn:
    """A system on which another program has F20."""

    def __init__(self) -> None:
        self.keys: set[Chord] = set()
        self.pressed = self.lost = None
        self.opened = 0
        self.is_closed = False

    def open(self, pressed, lost):
        self.pressed, self.lost = pressed, lost
        self.opened += 1
        return self

    def grab(self, chord):
        if chord.key == "F20":
            raise HotkeyError(f"Another program has {chord}.")
        self.keys.add(chord)

    def release(self, chord):
        self.keys.remove(chord)

    def close(self):
        self.is_closed = True


@pytest.fixture
def stored(tmp_path):
    """Settings that the window of the other tests does not follow, or it would reserve the keys as well."""
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def settings(stored):
    return HotkeySettings(stored)


@pytest.fixture
def done():
    return []


@pytest.fixture
def messages(qapp):
    return Messages()


@pytest.fixture
def notices(messages):
    """The texts that are shown now."""
    found: list[Notice] = []
    messages.notice.connect(found.append)
    messages.settled.connect(lambda about: found.remove(next(each for each in found if each.about == about)))
    return found


@pytest.fixture
def make(stored, messages, done):
    """Makes hotkeys on a system; they note what they do."""
    owner = QObject()
    made: list[Hotkeys] = []

    def make(find) -> Hotkeys:
        actions = {
            setting.name: lambda name=setting.name: done.append(name) for setting in HotkeySettings.all()
        }
        made.append(Hotkeys(stored, messages, actions, owner, find))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def stand_in(make):
    system = StandIn()
    make(lambda platform: HotkeySystem(0, lambda _: True, system.open))
    return system


def test_keys_are_reserved_while_they_are_set(qtbot, settings, stand_in, done):
    assert stand_in.pressed is None, "without a key the system is not opened"
    settings.hotkey_play, settings.hotkey_snapshot = "ctrl + alt + p", "F13"
    play, snapshot = read_chord("Ctrl+Alt+P"), read_chord("F13")
    assert stand_in.keys == {play, snapshot}
    stand_in.pressed(play)
    stand_in.pressed(snapshot)
    qtbot.waitUntil(lambda: done == ["hotkey_play", "hotkey_snapshot"])
    settings.hotkey_play, settings.hotkey_undo = "", "Ctrl+Alt+P"
    assert stand_in.keys == {play, snapshot}
    stand_in.pressed(play)
    qtbot.waitUntil(lambda: done[2:] == ["hotkey_undo"])
    settings.hotkey_undo = ""
    assert stand_in.keys == {snapshot}


def test_keys_that_the_system_lost_are_reported_or_reserved_again(qtbot, settings, stand_in, notices):
    settings.hotkey_play = "F13"
    stand_in.lost("")
    qtbot.waitUntil(lambda: stand_in.opened == 2)
    assert stand_in.is_closed and stand_in.keys == {read_chord("F13")} and notices == []
    stand_in.lost("The keys are gone; start again.")
    qtbot.waitUntil(lambda: bool(notices))
    assert [each.text for each in notices] == ["The keys are gone; start again."]
    settings.hotkey_play = "F14"
    assert stand_in.opened == 3 and notices == []


class Windows:
    """Stands in for the functions of user32 and kernel32: messages of one thread, and keys."""

    def __init__(self) -> None:
        self.user32 = self.kernel32 = self
        self.messages: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()
        self.keys: dict[int, tuple[int, int]] = {}
        self.takes_messages, self.fault = True, None

    def PeekMessageW(self, *_):
        return 0

    def GetCurrentThreadId(self):
        return 7

    def PostThreadMessageW(self, thread, message, *_):
        if self.takes_messages:
            self.messages.put((message, 0))
        return self.takes_messages

    def GetMessageW(self, reference, *_):
        message, number = self.messages.get()
        reference._obj.message, reference._obj.wparam = message, number
        return message != 0x12

    def RegisterHotKey(self, window, number, modifiers, key):
        if self.fault is not None:
            raise self.fault
        self.keys[number] = (modifiers, key)
        return True

    def UnregisterHotKey(self, window, number):
        del self.keys[number]


def test_windows_keys_and_calls_that_fail(qtbot):
    system, pressed, lost = Windows(), [], []
    keys = WindowsHotkeys(pressed.append, lost.append, system)
    keys.grab(read_chord("Ctrl+P"))
    assert system.keys == {1: (0x4002, ord("P"))}
    system.messages.put((0x312, 1))
    qtbot.waitUntil(lambda: pressed == [read_chord("Ctrl+P")])
    system.fault = RuntimeError("a bug")
    with pytest.raises(HotkeyError, match="did not take"):
        keys.grab(read_chord("Ctrl+Q"))
    system.fault, system.takes_messages = None, False
    with pytest.raises(HotkeyError, match="did not take"):
        keys.grab(read_chord("Ctrl+Q"))
    system.takes_messages = True
    keys.release(read_chord("Ctrl+P"))
    assert system.keys == {} and lost == []
    keys.close()
    keys.close()


def test_conflicts_are_one_sentence_and_settled(settings, stand_in, notices):
    settings.hotkey_play = settings.hotkey_undo = "Ctrl+Alt+P"
    assert [each.text for each in notices] == [
        "The global shortcut Ctrl+Alt+P is set for two actions; change 'Global shortcut: undo'."
    ]
    settings.hotkey_undo = "F20"
    assert [each.text for each in notices] == ["Another program has F20."]
    settings.hotkey_undo = ""
    assert notices == [] and len(stand_in.keys) == 1


def test_the_window_has_an_action_for_each_setting(ui):
    workspace = ui.workspace
    actions = window_actions(workspace)
    assert set(actions) == {setting.name for setting in HotkeySettings.all()}
    ui.play()
    actions["hotkey_play"]()
    assert not workspace.playback.is_playing
    workspace.edits.add_filter("invert")
    actions["hotkey_undo"]()
    assert ui.stages == []
    assert all(setting.is_default(HotkeySettings(workspace.settings)) for setting in HotkeySettings.all())


def test_a_wayland_session_gets_a_sentence(settings, make, notices):
    make(lambda platform: find_system("wayland"))
    settings.hotkey_play = "F13"
    assert "do not work in a Wayland session" in notices[0].text


@pytest.mark.parametrize("text", ["P", "Shift+P", "Ctrl+", "Ctrl+Ctrl+P", "Hyper+P", "Ctrl+Alt+Nothing", "+"])
def test_what_is_no_hotkey(text):
    with pytest.raises(UsageError, match="no global shortcut"):
        read_chord(text)


def test_chords_are_written_in_one_way():
    assert str(read_chord("shift+meta+control+pgdown")) == "Ctrl+Shift+Super+PgDown"


@pytest.mark.skipif(not shutil.which("xdotool"), reason="xdotool is not installed (Debian: xdotool)")
def test_keys_of_an_x_display(qtbot, settings, make, done, notices):
    if QGuiApplication.platformName() != "xcb" or os.environ.get("WAYLAND_DISPLAY"):
        pytest.skip("the tests run without an X display")
    x11 = find_system("xcb")
    make(lambda platform: x11)
    lost: list[str] = []
    other = x11.open(lambda chord: None, lost.append)
    try:
        other.grab(read_chord("Ctrl+Alt+J"))
        settings.hotkey_play, settings.hotkey_undo = "Ctrl+Alt+Q", "Ctrl+Alt+J"
        assert [each for each in notices if "Another program has the global shortcut Ctrl+Alt+J" in each.text]
        subprocess.run(["xdotool", "key", "ctrl+alt+q"], check=True, timeout=20)
        qtbot.waitUntil(lambda: done == ["hotkey_play"])
        other.release(read_chord("Ctrl+Alt+J"))
        settings.hotkey_undo = "Ctrl+Alt+Shift+J"
        subprocess.run(["xdotool", "key", "ctrl+alt+shift+j"], check=True, timeout=20)
        qtbot.waitUntil(lambda: done == ["hotkey_play", "hotkey_undo"])
        if shutil.which("setxkbmap"):
            # On a French keyboard Q is elsewhere: it is reserved again there.
            subprocess.run(["setxkbmap", "fr"], check=True, timeout=20)
            try:
                qtbot.waitUntil(lambda: lost == [""])
                qtbot.wait(200)  # as long as the other connection may take
                subprocess.run(["xdotool", "key", "ctrl+alt+q"], check=True, timeout=20)
                qtbot.waitUntil(lambda: done[2:] == ["hotkey_play"])
            finally:
                subprocess.run(["setxkbmap", "us"], check=True, timeout=20)
    finally:
        other.close()
        other.close()
