"""The question before the first look, the weekly look, the menu's entries."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.base.errors import UpdateError
from desktop.net.updates import UpdateCheck, check_for_update
from desktop.ui.forms.settings import Settings


@pytest.fixture
def updates(ui):
    """The window's, whose looks are counted and answered without a network."""
    found, settings = ui.window.updates, ui.workspace.settings
    before = found.site, found.ask, found.channel
    for setting in (Settings.weekly_updates, Settings.last_update_look, Settings.starts):
        settings.store(setting, None)
    found.asked, found.answer = 0, UpdateCheck("99.0", "0.1.0")

    def answer(site):
        assert site == "https://example.org"
        found.asked += 1
        if isinstance(found.answer, Exception):
            raise found.answer
        return found.answer

    found.site, found.ask = "https://example.org", answer
    yield found
    found.site, found.ask, found.channel = before


def notices_of(ui):
    return [notice.text for notice in ui.window.notices.notices]


def asked(ui):
    return [text for text in notices_of(ui) if "once a week" in text]


def button(ui, text):
    return next(b for b in ui.window.notices.findChildren(QPushButton) if b.text() == text and b.isVisible())


def settled(ui, updates):
    ui.wait(lambda: not ui.workspace.jobs.running)


def test_it_asks_at_the_third_start_and_looks_at_none_before(ui, updates):
    settings = ui.workspace.settings
    settings.starts = 0
    for count in (1, 2):
        updates.begin()
        assert not asked(ui) and settings.weekly_updates is None and settings.starts == count
    updates.begin()
    assert len(asked(ui)) == 1
    button(ui, "No").click()
    ui.wait(lambda: not asked(ui))
    assert settings.weekly_updates is False and updates.asked == 0
    updates.begin()
    assert not asked(ui), "nobody who answered is asked twice"


def test_while_it_asks_the_keys_are_the_players_before_and_after_the_answer(ui, updates):
    ui.play()
    ui.workspace.settings.starts = 2
    updates.begin()
    assert QApplication.activeModalWidget() is None
    ui.press(Qt.Key.Key_Space)
    ui.wait(lambda: ui.workspace.playback.source.state == "paused")
    QTest.mouseClick(button(ui, "No"), Qt.MouseButton.LeftButton)
    ui.wait(lambda: not asked(ui))
    assert ui.window.focusWidget() is ui.window.viewport


def test_an_answer_by_the_keyboard_gives_the_picture_the_focus(ui, updates):
    ui.play()
    ui.workspace.settings.starts = 2
    updates.begin()
    ui.activate()
    no = button(ui, "No")
    no.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(no, Qt.Key.Key_Return)
    ui.wait(lambda: not asked(ui))
    assert ui.window.focusWidget() is ui.window.viewport


def test_an_answer_in_the_menu_or_the_preferences_takes_the_question_away(ui, updates):
    ui.workspace.settings.starts = 2
    updates.begin()
    assert asked(ui)
    ui.window.actions_by_name["weekly_updates"].trigger()
    assert ui.workspace.settings.weekly_updates is True and not asked(ui)
    ui.wait(lambda: updates.asked == 1)
    settled(ui, updates)


def test_yes_looks_at_once_and_then_weekly(ui, updates):
    settings = ui.workspace.settings
    settings.starts = 2
    updates.channel = "flatpak"
    updates.begin()
    button(ui, "Yes").click()
    ui.wait(lambda: updates.asked == 1)
    settled(ui, updates)
    assert ui.window.actions_by_name["weekly_updates"].isChecked()
    assert any("99.0" in text and "flatpak update" in text for text in notices_of(ui))
    updates.begin()
    assert updates.asked == 1, "it has looked this week"
    settings.last_update_look = time.time() - 8 * 24 * 3600
    updates.begin()
    ui.wait(lambda: updates.asked == 2)
    settled(ui, updates)


def test_a_build_without_a_site_asks_nothing_and_says_so(ui, updates):
    updates.site, updates.ask = "", lambda site: check_for_update("0.1.0", site=site)
    ui.workspace.settings.starts = 2
    ui.workspace.settings.weekly_updates = True
    updates.begin()
    assert not asked(ui) and not ui.workspace.jobs.running
    ui.window.menus.sync()
    assert not ui.window.actions_by_name["weekly_updates"].isEnabled()
    ui.window.actions_by_name["check_updates"].trigger()
    ui.wait(lambda: any("has no update site" in text for text in notices_of(ui)))


def test_a_failure_is_told_only_to_who_asked(ui, updates):
    updates.answer = UpdateError(
        "Whether there is a newer Lightloom could not be found out (offline): look there."
    )
    ui.workspace.settings.weekly_updates = True
    updates.begin()
    ui.wait(lambda: updates.asked == 1)
    settled(ui, updates)
    assert not any("offline" in text for text in notices_of(ui))
    ui.window.actions_by_name["check_updates"].trigger()
    ui.wait(lambda: any("offline" in text for text in notices_of(ui)))


def test_asking_by_hand_needs_no_permission_and_keeps_none(ui, updates):
    updates.answer = UpdateCheck("0.1.0", "0.1.0")
    ui.window.actions_by_name["check_updates"].trigger()
    ui.wait(lambda: any("newest" in text for text in notices_of(ui)))
    assert ui.workspace.settings.weekly_updates is None


def test_every_channel_has_its_advice(ui, updates):
    said = set()
    for name in ("deb", "flatpak", "winget", "brew", "appimage", "other"):
        updates.channel = name
        updates.check()
        ui.wait(lambda: notices_of(ui))
        said.update(notices_of(ui))
        ui.window.notices.clear()
    assert len(said) == 6 and all("99.0" in text for text in said)


def test_a_start_of_version_0_1_is_counted(ui, updates):
    ui.workspace.settings.store(Settings.starts, "true")
    assert ui.workspace.settings.starts == 1
    updates.begin()
    assert not asked(ui) and ui.workspace.settings.starts == 2
    updates.begin()
    assert asked(ui)
