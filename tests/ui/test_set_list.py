"""The set list: its panel, and steps by key, controller and remote control."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.errors import ServingError, UsageError
from desktop.pipeline.automation.sources.midi import midi_address
from desktop.pipeline.setup.known import require_preset
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.remote_control.window_program import WindowProgram
from desktop.ui.features.set_list.panel import SetListPanel
from desktop.ui.features.set_list.set_list import SetList, SetListEntry
from desktop.ui.features.set_list.settings import SetListSettings


@pytest.fixture
def settings(ui):
    found = SetListSettings(ui.workspace.settings)
    yield found
    for setting in SetListSettings.all():
        setting.put_back(found)


@pytest.fixture
def set_list(ui, settings):
    """Three looks, in the settings as a person's file has them."""
    names = ("miniature", "monochrome", "cinema")
    settings.set_list = {
        str(number): {"look": name, "title": name.title(), "fade": 0.0} for number, name in enumerate(names)
    }
    return ui.workspace.get(SetList)


def title(ui) -> str:
    look = ui.workspace.edits.history.look
    return look.title if look is not None else ""


def test_keys_step_through_it_and_stop_at_the_end(ui, set_list):
    for wanted in ("Miniature", "Monochrome", "Cinema"):
        ui.press(Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        ui.wait(lambda wanted=wanted: title(ui) == wanted)
    assert not set_list.step(1) and set_list.place == 2
    ui.press(Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    ui.wait(lambda: title(ui) == "Monochrome")


def test_a_controller_steps_once_for_each_press(ui, set_list, settings):
    controls = ui.workspace.engine.controls
    note, osc = midi_address("note", 1, 36), "osc/back"
    settings.set_list_next, settings.set_list_previous = note, osc
    controls.put(note, 0.8)
    ui.wait(lambda: set_list.place == 0)
    for value in (0.0, 0.8):
        controls.put(note, value)
    ui.wait(lambda: set_list.place == 1)
    controls.put(note, 0.9)  # a fader that moves on is no press
    controls.put(midi_address("note", 1, 37), 1.0)
    controls.put(osc, 1.0)
    ui.wait(lambda: set_list.place == 0)
    controls.put(note, 0.0)
    controls.put(note, 1.0)
    ui.wait(lambda: set_list.place == 1)
    controls.put(osc, 1.0)  # again, without a release
    ui.wait(lambda: set_list.place == 0)


@pytest.mark.parametrize("text", ["36", "midi/x", "midi/36", "midi/17/note/1", "midi/1/note/128", "osc/"])
def test_what_is_no_controller(text):
    with pytest.raises(UsageError, match="no controller"):
        SetListSettings.set_list_next.field.check(text)


def test_remote_control_steps(ui, set_list):
    program = WindowProgram(ui.workspace)
    program.step_set_list(1)
    assert program.state().set_list.place == 0
    assert program.state().set_list.titles == ("Miniature", "Monochrome", "Cinema")
    set_list.go(2)
    with pytest.raises(ServingError, match="at its end; go to the previous"):
        program.step_set_list(1)
    ui.wait(lambda: title(ui) == "Cinema")
    set_list.go(0)
    with pytest.raises(ServingError, match="at its beginning; go to the next"):
        program.step_set_list(-1)
    ui.wait(lambda: title(ui) == "Miniature")


def test_the_panel_adds_moves_and_removes(ui, settings):
    ui.window.dock_area.show("set_list")
    panel, set_list = ui.window.dock_area.panel("set_list", SetListPanel), ui.workspace.get(SetList)
    assert not panel.add.isEnabled() and not panel.list.isVisible()
    for name in ("miniature", "cinema"):
        ui.workspace.get(Opening).load_preset(require_preset(name), 0.0)
        ui.wait(lambda name=name: title(ui) == name.title())
        panel.add.click()
    assert set_list.entries == (SetListEntry("miniature", "Miniature"), SetListEntry("cinema", "Cinema"))
    panel.list.setCurrentRow(1)
    panel.fade.setValue(2.5)
    assert panel.list.item(1).text() == "2  Cinema · 2.5 s" and panel.list.currentRow() == 1
    ui.activate()
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [entry.title for entry in set_list.entries] == ["Cinema", "Miniature"]
    assert settings.set_list["0"] == {"look": "cinema", "title": "Cinema", "fade": 2.5}
    panel.list.setCurrentRow(1)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert len(set_list.entries) == 1 and set_list.place == 0


@pytest.mark.parametrize(
    "table", [{}, {"look": 5, "title": ""}, {"look": "", "title": "x"}, {"look": "x" * 5000, "title": "x"}]
)
def test_entries_that_no_one_can_use_are_left_out(table):
    assert SetListEntry.read(table) is None
    assert SetListEntry.read({"look": "a", "title": "A", "fade": "x"}) == SetListEntry("a", "A")


def test_entries_that_cannot_be_read_stay_in_the_settings(ui, set_list, settings, caplog):
    strange = {"look": "cinema", "kind": "of a newer version"}
    settings.set_list = {"0": strange, **{str(int(key) + 1): each for key, each in settings.set_list.items()}}
    assert [entry.title for entry in set_list.entries] == ["Miniature", "Monochrome", "Cinema"]
    assert "not valid" in caplog.text
    set_list.remove(2)
    assert [table["look"] for table in settings.set_list.values()] == ["miniature", "monochrome", "cinema"]
    assert strange in settings.set_list.values()


def test_a_look_that_is_gone_is_reported(ui, settings, tmp_path):
    settings.set_list = {"0": {"look": str(tmp_path / "gone.toml"), "title": "Gone"}}
    ui.workspace.get(SetList).step(1)
    ui.wait(lambda: any("gone.toml" in notice for notice in ui.notices))


@pytest.mark.parametrize("typed", ["1.5", "12.5", "0.5"])
def test_a_typed_cross_fade_is_taken_whole(ui, set_list, typed):
    """Each key stored a number, by which the text was replaced: "1.5" became 1.0."""
    ui.window.dock_area.show("set_list")
    panel = ui.window.dock_area.panel("set_list", SetListPanel)
    ui.activate()
    panel.list.setCurrentRow(1)
    panel.fade.setFocus()
    panel.fade.selectAll()
    QTest.keyClicks(panel.fade, typed)
    QTest.keyClick(panel.fade, Qt.Key.Key_Return)
    assert set_list.entries[1].fade_s == float(typed)
    assert panel.fade.value() == set_list.entries[1].fade_s
