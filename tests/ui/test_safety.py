"""The question after a crash, the watch over the window's thread, and reports."""

from __future__ import annotations

import logging
import re
import time
import zipfile

import pytest
from dialog_rig import chosen_paths
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from qt_waiting import activate
from waiting import until

from desktop.ui.shell.safety import CrashDialog, SetupAutosave, Watchdog
from desktop.ui.shell.session import Crash, WindowSession


@pytest.fixture
def crash(tmp_path):
    folder = tmp_path / "crash"
    folder.mkdir()
    (folder / "stacks.txt").write_text("Current thread: somewhere")
    return Crash(folder, 0.0)


@pytest.fixture
def dialog(qapp, qtbot, crash):
    made = CrashDialog(crash, patience_s=20)
    assert not made.windowIcon().isNull()
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_question_answers_itself(qtbot, crash):
    dialog = CrashDialog(crash, patience_s=1)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.accepted):
        dialog.show()
    assert not dialog.safe


def test_safe_mode_is_chosen_by_keys(qtbot, dialog):
    activate(qtbot, dialog)
    qtbot.waitUntil(dialog.normal.hasFocus)
    QTest.keyClick(dialog.normal, Qt.Key.Key_Tab)
    assert dialog.safely.hasFocus()
    assert dialog.countdown.isHidden(), "somebody is there"
    QTest.keyClick(dialog.safely, Qt.Key.Key_Space)
    assert dialog.safe
    assert dialog.result() == CrashDialog.DialogCode.Accepted


def test_a_report_is_saved_from_the_question(qtbot, dialog, tmp_path, monkeypatch):
    target = tmp_path / "report"
    monkeypatch.setenv("LIGHTLOOM_LOGS", str(tmp_path))
    with chosen_paths(target):
        dialog.report.click()
    qtbot.waitUntil(lambda: str(target) in dialog.note.text())
    with zipfile.ZipFile(f"{target}.zip") as archive:
        assert "crash/stacks.txt" in archive.namelist()
        assert re.search(r"^ok +Python: 3", archive.read("doctor.txt").decode(), re.MULTILINE)
    assert dialog.normal.isEnabled()


def test_a_hang_is_logged_with_stacks_once(qtbot, tmp_path, caplog):
    session, window = WindowSession(tmp_path), QWidget()
    qtbot.addWidget(window)
    watchdog = Watchdog(window, session, hung_s=0.3)
    QTest.qWait(150)
    with caplog.at_level(logging.INFO, "desktop.ui.shell.safety"):
        until((session.folder / "hung.txt").exists)  # and the loop does not run
        qtbot.waitUntil(lambda: "answers again" in caplog.text)
    watchdog.stop()
    assert not (session.folder / "hung.txt").exists()
    session.close()
    assert caplog.text.count("has not answered") == 1
    assert "test_a_hang_is_logged_with_stacks_once" in caplog.text
    assert "Thread MainThread" in caplog.text


def test_nobody_watches_under_a_modal_dialog_or_before_the_loop(qtbot, tmp_path, caplog):
    session, window = WindowSession(tmp_path), QWidget()
    qtbot.addWidget(window)
    watchdog = Watchdog(window, session, hung_s=1.5)
    time.sleep(2.0)  # the loop does not run yet
    QTest.qWait(150)
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowBlocked))
    time.sleep(2.0)
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowUnblocked))
    watchdog.stop()
    session.close()
    assert "has not answered" not in caplog.text


def test_what_is_set_up_is_kept(ui, tmp_path):
    session = WindowSession(tmp_path)
    keeper = SetupAutosave(ui.workspace, session)
    stage = ui.workspace.edits.add_filter("vignette")
    assert "vignette" in session.setup_file.read_text()
    ui.workspace.edits.set_value(stage, "amount", 0.123)
    ui.wait(lambda: "0.123" in session.setup_file.read_text())
    ui.workspace.edits.setup_changed.disconnect(keeper._changed)
    session.close()


def test_a_report_from_the_menu(ui, tmp_path, monkeypatch):
    target = tmp_path / "report.zip"
    monkeypatch.setenv("LIGHTLOOM_LOGS", str(tmp_path))
    ui.workspace.edits.add_filter("bloom")
    with chosen_paths(target):
        ui.window.actions_by_name["report"].trigger()
    ui.wait(lambda: any("Report saved" in text for text in ui.notices))
    with zipfile.ZipFile(target) as archive:
        assert "bloom" in archive.read("setup.toml").decode()
