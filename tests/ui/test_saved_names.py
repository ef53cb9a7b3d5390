"""Names typed without their ending into the dialogs that save a file."""

from __future__ import annotations

import pytest
from dialog_rig import answering, choose_path, chosen_paths
from PySide6.QtWidgets import QMessageBox
from window_panels import stats_of

from desktop.ui.features.playlist.playlist_panel import PlaylistPanel


def _save_table(ui):
    stats_of(ui.window).save.click()


def _save_playlist(ui):
    ui.window.dock_area.panel("playlist", PlaylistPanel).choose_save_name()


def _save_report(ui):
    ui.window.dialogs.save_report()


SAVED = {
    "stats": (_save_table, ".csv"),
    "playlist": (_save_playlist, ".m3u8"),
    "report": (_save_report, ".zip"),
}


@pytest.mark.parametrize("kind", SAVED)
def test_a_name_without_its_ending_replaces_no_file_without_a_question(ui, player, pictures, tmp_path, kind):
    """The dialog looks only whether "week 1.2" exists, and "week 1.2.csv" is written."""
    save, ending = SAVED[kind]
    questions, answers = [], []
    buttons = QMessageBox.StandardButton

    def answer(dialog):
        if isinstance(dialog, QMessageBox):
            questions.append(dialog.text())
            dialog.button(answers.pop()).click()
        else:
            choose_path(dialog, tmp_path / "week 1.2")

    if kind != "report":
        ui.window.dock_area.show(kind)
    player.play([str(pictures["red"])])
    saved = tmp_path / f"week 1.2{ending}"
    saved.write_text("mine")
    answers.append(buttons.No)
    with answering(answer):
        save(ui)
    ui.wait(lambda: not ui.workspace.jobs.running)
    assert [path.name for path in tmp_path.glob("week*")] == [saved.name] and saved.read_text() == "mine"
    assert len(questions) == 1 and saved.name in questions[0]
    answers.append(buttons.Yes)
    with answering(answer):
        save(ui)
    ui.wait(lambda: saved.read_bytes() != b"mine")
    assert [path.name for path in tmp_path.glob("week*")] == [saved.name] and len(questions) == 2


def test_a_look_is_saved_elsewhere_where_the_folder_of_looks_cannot_be_made(ui, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "file" / "presets"))
    ui.workspace.edits.add_filter("invert")
    with chosen_paths(tmp_path / "mine"):
        ui.window.dialogs.choose_preset_name()
    ui.wait((tmp_path / "mine.toml").exists)
