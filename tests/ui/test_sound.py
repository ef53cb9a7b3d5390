"""Volume, mute and tracks in the window: keys, the bar, the menu, and what is kept of them."""

from __future__ import annotations

import dataclasses
import itertools

import av
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from sound_rig import beginnings, decoded, write_flashes
from waiting import until

from desktop.media.audio.samples import RATE
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.capture import Recording

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "flashes.mkv"
    write_flashes(path, seconds=4.0, tracks=2)
    return str(path)


@pytest.fixture(autouse=True)
def as_before(ui):
    yield
    ui.workspace.sound.set_volume(1.0)


def test_keys_change_the_volume_which_is_kept(ui, clip):
    ui.play(clip)
    sound, settings = ui.workspace.sound, ui.workspace.settings
    bar = ui.window.transport
    assert bar.mute.isVisible()
    assert bar.volume.isVisible()
    ui.press(Qt.Key.Key_Down, CTRL)
    ui.press(Qt.Key.Key_Down, CTRL)
    assert sound.volume == pytest.approx(0.9)
    assert bar.volume.value() == 90
    ui.press(Qt.Key.Key_M)
    assert sound.muted
    assert ui.window.actions_by_name["mute"].isChecked()
    assert settings.muted
    settings.sync()
    again = Settings(settings.path)
    assert (again.volume, again.muted) == (pytest.approx(0.9), True)
    ui.press(Qt.Key.Key_Up, CTRL)
    assert not sound.muted
    assert sound.volume == pytest.approx(0.95)
    bar.volume.setValue(30)
    assert sound.output.volume == pytest.approx(0.3)


def test_a_broken_volume_in_the_settings_is_the_usual_one(tmp_path):
    for kept in ("loud", "-1", "nan", "7"):
        (tmp_path / "settings.ini").write_text(f"[sound]\nvolume={kept}\n")
        assert Settings(tmp_path / "settings.ini").volume == 1.0


def test_what_plays_is_heard_and_a_mute_is_silence(ui, clip):
    heard: list[np.ndarray] = []
    end = ui.workspace.sound.output.listen(lambda at, block: heard.append(block.copy()))
    try:
        ui.play(clip)
        ui.wait(lambda: heard and max(np.abs(block).max() for block in heard) > 0.4)
        ui.pause()
        ui.wait(lambda: np.abs(heard[-1]).max() == 0.0)
    finally:
        end()


def tracks_menu(ui) -> QMenu:
    title = next(menu for menu in ui.window.menuBar().findChildren(QMenu) if "rack" in menu.title())
    title.aboutToShow.emit()
    return title


def test_a_track_is_chosen_in_the_menu(ui, clip):
    ui.play(clip)
    sound = ui.workspace.playback.source_sound
    menu = tracks_menu(ui)
    assert [action.isChecked() for action in menu.actions()] == [True, False, False]
    menu.actions()[1].trigger()
    assert sound.track == 1
    tracks_menu(ui).actions()[2].trigger()
    assert sound.track is None


def test_what_has_no_sound_shows_no_volume(ui):
    ui.play()
    bar = ui.window.transport
    assert not bar.mute.isVisible()
    assert not bar.volume.isVisible()
    assert [action.isEnabled() for action in tracks_menu(ui).actions()] == [False]


def test_a_narrow_bar_keeps_mute_and_gives_the_time_line_its_room(ui, clip):
    ui.play(clip)
    ui.resize(900, 600)
    bar = ui.window.transport
    assert bar.mute.isVisible()
    assert bar.line.width() >= 80
    edges = [
        (widget.mapTo(bar, widget.rect().topLeft()).x(), widget.width())
        for widget in bar.children()
        if getattr(widget, "isVisible", bool)() and hasattr(widget, "rect")
    ]
    edges.sort()
    for (left, width), (following, _) in itertools.pairwise(edges):
        assert left + width <= following


def loudness(samples: np.ndarray) -> np.ndarray:
    """The mean magnitude of each 10 ms."""
    length = RATE // 100
    return np.abs(samples[: len(samples) // length * length]).reshape(-1, length).mean(1)


def beginning_of(recording: Recording) -> float:
    """When its first picture was shown, by `time.perf_counter`."""
    return recording._begun + recording._first


def test_a_recording_has_the_sound_of_what_plays(ui, tmp_path, monkeypatch):
    """Compared with what the device took, at the times that it said: what a busy machine plays late is late
    in the file too.

    Up to what it had taken when the recording ended: on such a machine that is behind the last picture's
    time, and the test hears what comes later, which the recording does not.
    """
    path = tmp_path / "often.mkv"
    write_flashes(path, seconds=30.0, every=0.4)
    heard: list[tuple[float, np.ndarray]] = []
    end = ui.workspace.sound.output.listen(lambda at, block: heard.append((at, block[:, 0].copy())))
    opens = Recording._make_recorder

    def slowly(self, size):
        already = len(heard)
        until(lambda: len(heard) > already + 70)  # 0.7 s, as an encoder of 1080 lines takes
        return opens(self, size)

    monkeypatch.setattr(Recording, "_make_recorder", slowly)
    ui.play(str(path))
    ui.workspace.sound.toggle_mute()
    ui.wait(lambda: heard and np.abs(heard[-1][1]).max() > 0.1)
    target, pictures = tmp_path / "recorded.mkv", ui.workspace.get(Pictures)
    pictures.toggle_recording(target)
    recording = pictures.recording

    def has_enough():
        """Three beeps and a half since the first picture were heard, and written with pictures."""
        if recording._recorder is None or recording._recorder._end_at < 1.6:
            return False
        first = beginning_of(recording)
        loud = [np.abs(block).max() > 0.1 for at, block in list(heard) if at > first]
        return sum(b and not a for a, b in itertools.pairwise(loud)) > 3

    ui.wait(has_enough)
    until_then = heard[-1][0]
    pictures.toggle_recording()
    ui.wait(target.exists)
    ui.wait(lambda: pictures.recording is None)
    end()
    begins = beginning_of(recording)
    with av.open(str(target)) as container:
        seconds = max(float(frame.time) for frame in container.decode(video=0))
    before = RATE  # room for the block amid which it begins
    given = np.zeros(60 * RATE, np.float32)
    for at, block in heard:
        place = round((at - begins) * RATE) + before
        if 0 <= place < len(given) - len(block):
            given[place : place + len(block)] = block
    given = given[before:]
    last = round((min(seconds, until_then - begins) - 0.1) * RATE)
    wanted, found = loudness(given[:last]), loudness(decoded(target, 60.0)[:last])
    assert len(beginnings(np.abs(given[:last]) > 0.1, RATE // 25)) >= 3
    # A beep's magnitude is 0.32. What AAC blurs, and Matroska rounds to 1 ms, is a tenth of that in the 10 ms
    # where one begins or ends.
    assert found == pytest.approx(wanted, abs=0.08)
    assert np.abs(found - wanted).mean() < 0.01


def test_only_recordings_of_live_sources_ask_for_the_microphone(ui, clip, monkeypatch):
    sound = ui.workspace.sound
    ui.play(clip)
    assert sound.listening(ui.workspace.playback.source) == sound.output.listen
    ui.play()
    live = dataclasses.replace(ui.workspace.playback.source.info, live=True)
    assert sound.listening(ui.workspace.playback.source) is None
    monkeypatch.setattr(ui.workspace.playback.source, "_info", live)
    assert sound.listening(ui.workspace.playback.source) is None
    ui.window.actions_by_name["record_microphone"].trigger()
    assert ui.workspace.settings.records_microphone
    assert sound.listening(ui.workspace.playback.source) is not None
    ui.window.actions_by_name["record_microphone"].trigger()
    assert sound.listening(ui.workspace.playback.source) is None
