"""Files and folders that other programs open, on a system that has no program for them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPushButton
from window_panels import chain_of

from desktop.ui.kit.open_outside import open_outside


@pytest.fixture
def opened(monkeypatch):
    """What the system was asked to open; it can open pages only."""
    found = []

    def open_url(url: QUrl) -> bool:
        found.append(url)
        return not url.isLocalFile()

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return found


def test_what_no_program_opens_is_said_and_in_the_clipboard(ui, opened, monkeypatch, tmp_path):
    folder = tmp_path / "filters"
    monkeypatch.setenv("LIGHTLOOM_FILTERS", str(folder))
    ui.window.actions_by_name["shader_folder"].trigger()
    assert opened == [QUrl.fromLocalFile(str(folder))] and folder.is_dir()
    assert ui.notices == [f"No program can open {folder}; its address was copied to the clipboard."]
    assert QGuiApplication.clipboard().text() == str(folder)
    open_outside(QUrl("https://example.org/network"), ui.workspace.messages)
    assert len(opened) == 2 and len(ui.notices) == 1


def test_the_folder_of_a_notice_is_opened_or_its_address_shown(ui, opened, tmp_path):
    ui.workspace.messages.post("info", "This is done.", str(tmp_path / "done.png"))
    next(b for b in ui.window.notices.findChildren(QPushButton) if b.text() == "Show").click()
    assert opened == [QUrl.fromLocalFile(str(tmp_path))]
    assert f"No program can open {tmp_path}; its address was copied to the clipboard." in ui.notices


def test_a_folder_that_cannot_be_made_is_said(ui, opened, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LIGHTLOOM_FILTERS", str(tmp_path / "file" / "filters"))
    ui.window.actions_by_name["shader_folder"].trigger()
    assert len(ui.notices) == 1 and str(tmp_path / "file" / "filters") in ui.notices[0]


def test_the_file_of_an_effect_is_opened(ui, opened):
    stage = ui.workspace.edits.add_filter("invert")
    chain_of(ui.window).cards[stage].command.emit("open_file")
    assert [url.fileName() for url in opened] == ["invert.wgsl"] and len(ui.notices) == 1
