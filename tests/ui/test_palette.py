"""The command palette: what it offers, in which order, and how fast it is found."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.ui.features.networks.network_list import NetworkList
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.kit.palette import Command, CommandPalette, ranked
from desktop.ui.workspace.command_uses import uses_of, with_use


def _commands(*titles, kind=""):
    return [Command(title, lambda: None, kind=kind, key=title) for title in titles]


def _found(commands, query, uses=None):
    return [commands[place].title for place in ranked(commands, query, uses or {})]


def test_equal_matches_are_ranked_by_use():
    commands = _commands("Add Blur", "Add Bloom", "Open blue.png")
    assert _found(commands, "bl") == ["Add Blur", "Add Bloom", "Open blue.png"]
    assert _found(commands, "bl", {"Add Bloom": 3}) == ["Add Bloom", "Add Blur", "Open blue.png"]
    assert _found(commands, "blur", {"Add Bloom": 99}) == ["Add Blur"], "a match counts for more"


def test_without_a_query_those_used_last_are_first():
    commands = _commands("a", "b", "c", "d")
    assert _found(commands, "", {"c": 1, "gone": 9, "a": 5}) == ["c", "a", "b", "d"]


def test_a_kind_narrows_the_search():
    commands = [*_commands("Use MobileNet", kind="Network"), *_commands("Add Mobile look", kind="Effect")]
    assert _found(commands, "network mobile")[0] == "Use MobileNet"
    assert set(_found(commands, "mobile")) == {"Use MobileNet", "Add Mobile look"}


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1), max_size=200))
def test_uses_are_bounded_and_the_last_is_first(keys):
    stored = []
    for key in keys:
        stored = with_use(stored, key)
    uses = uses_of(stored)
    assert len(uses) <= 64 and all(1 <= count <= 99 for count in uses.values())
    if keys:
        assert next(iter(uses)) == keys[-1]
        if len(set(keys)) <= 64:
            assert uses == {key: min(keys.count(key), 99) for key in keys}


def test_lines_edited_by_hand_are_left_out():
    assert uses_of(["3 action:a", "x action:b", "", "7", "0 c", "99999999 d e", "1 action:a", "² f"]) == {
        "action:a": 3,
        "c": 1,
        "d e": 99,
    }


@pytest.fixture
def parent(qapp, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(900, 700)
    widget.show()
    return widget


def test_a_thousand_entries_are_searched_while_typing(parent):
    commands = _commands(*(f"Add filter number {n} of a long list" for n in range(1000)), kind="Effect")
    palette = CommandPalette(commands, parent)
    begun = time.perf_counter()
    for text in ("f", "fi", "filter 77", "filter number 777"):
        palette.search.setText(text)
    seconds = (time.perf_counter() - begun) / 4
    assert palette.list.topLevelItem(0).text(0) == "Add filter number 777 of a long list"
    assert seconds < 0.5, "some ten milliseconds on a usual machine"
    palette.close()


def _kinds(ui):
    return {command.title: command.kind for command in ui.window.dialogs.commands()}


def test_everything_is_found_with_its_kind(ui, tmp_path):
    ui.workspace.settings.recent = [str(tmp_path / "a" / "x.png"), str(tmp_path / "b" / "x.png")]
    kinds = _kinds(ui)
    assert kinds["Add Bloom"] == "Effect" and kinds["Look: Comic"] == "Look"
    assert kinds["Snapshot"] == "Command" and kinds["Statistics"] == kinds["Sources"] == "Panel"
    assert kinds["Folder of snapshots"] == "Setting" and kinds["Open x.png"] == "Recent file"
    assert "Network" in kinds.values() and all(kinds.values())
    folders = [c.hint for c in ui.window.dialogs.commands() if c.title == "Open x.png"]
    assert folders == ["a", "b"]
    keys = [command.key for command in ui.window.dialogs.commands()]
    assert len(set(keys)) == len(keys) and all(keys)


def _first(palette, query):
    palette.search.setText(query)
    item = palette.list.topLevelItem(0)
    return item.text(0) if item is not None else ""


def test_networks_that_can_be_downloaded_are_found(ui, tmp_path):
    ui.workspace.settings.model_folder = str(tmp_path)
    listed = ui.workspace.get(NetworkList)
    listed.refresh()
    # A window that takes the focus late closes a list that pops up.
    ui.activate()
    palette = ui.window.dialogs.show_palette()
    ui.wait(lambda: _first(palette, "squeeze") == "Download the network SqueezeNet")
    assert "YOLOX" in _first(palette, "yolo")
    palette.close()


def test_settings_are_found_by_their_words(ui):
    palette = ui.window.dialogs.show_palette()
    found = {query: _first(palette, query) for query in ("german", "text size")}
    palette.close()
    assert found == {"german": "Language", "text size": "Theme"}


def test_what_was_used_last_is_offered_first(ui):
    palette = ui.window.dialogs.show_palette()
    QTest.keyClicks(palette.search, "add bloom")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    ui.wait(lambda: ui.stages == ["bloom"])
    again = ui.window.dialogs.show_palette()
    assert [again.list.topLevelItem(0).text(n) for n in (0, 2)] == ["Add Bloom", "Effect"]
    again.close()
    assert list(uses_of(ui.workspace.settings.commands)) == ["filter/bloom"]


def test_a_setting_is_shown_on_its_page(ui):
    [command] = [c for c in ui.window.dialogs.commands() if c.title == "Folder of snapshots"]
    command.run()
    page = ui.window.findChild(PreferencesDialog)
    ui.wait(page.isVisible)
    assert [row.setting.name for row in page.rows.values() if row.isVisible()] == ["snapshot_folder"]
    page.close()


def test_a_bundled_network_is_used(ui):
    ui.play()
    command = next(c for c in ui.window.dialogs.commands() if c.kind == "Network")
    command.run()
    ui.wait(lambda: ui.workspace.edits.setup.network is not None or ui.stages)
