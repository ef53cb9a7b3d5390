"""The dialog that saves a look under a name and with a purpose."""

from __future__ import annotations

import tomllib

import pytest
from dialog_rig import chosen_paths
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from window_panels import chain_of, library_of

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.known import bundled_presets
from desktop.ui.features.library.own_looks import RenameLookDialog
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.save_look_dialog import SaveLookDialog, look_path
from desktop.vision.models.builtin import builtin_models


@pytest.fixture
def looks_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path))
    return tmp_path


def opened(ui) -> SaveLookDialog:
    ui.window.actions_by_name["save_preset"].trigger()
    return next(each for each in ui.window.findChildren(SaveLookDialog) if each.isVisible())


def test_enter_saves_name_and_purpose(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    dialog = opened(ui)
    assert not dialog.ok.isEnabled(), "it needs a name"
    QTest.keyClicks(dialog.name, "Old & worn")
    QTest.keyClicks(dialog.purpose, "Letters from the attic.")
    QTest.keyClick(dialog.purpose, Qt.Key.Key_Return)
    path = looks_folder / "Old & worn.toml"
    ui.wait(path.exists)
    document = tomllib.loads(path.read_text("utf-8"))
    assert (document["title"], document["purpose"]) == ("Old & worn", "Letters from the attic.")
    ui.wait(lambda: chain_of(ui.window).title.text() == "Old & worn")
    library = library_of(ui.window)
    library.show_page("looks")

    def tile():
        return next((item for item in library.model.items if item.title == "Old & worn"), None)

    ui.wait(lambda: tile() is not None and tile().purpose == "Letters from the attic.")
    assert tile().is_used
    ui.workspace.edits.add_filter("invert")
    assert chain_of(ui.window).title.text() == "Old & worn (edited)"


def test_a_look_of_the_name_is_replaced_knowingly(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    look_path("Mine").write_text("")
    dialog = opened(ui)
    QTest.keyClicks(dialog.name, "Min")
    assert dialog.ok.text() == "Save"
    QTest.keyClicks(dialog.name, "e")
    assert dialog.ok.text() == "Replace" and "replaced" in dialog.note.text()
    dialog.ok.click()
    ui.wait(lambda: look_path("Mine").read_text() != "")


def test_it_begins_with_a_free_name_for_a_bundled_look(ui, looks_folder):
    library = library_of(ui.window)
    library.show_page("looks")
    library.view.select(library.model.row_of("preset comic"))
    QTest.keyClick(library.view, Qt.Key.Key_Return)
    ui.wait(lambda: ui.stages == ["cartoon", "halftone"])
    dialog = opened(ui)
    assert dialog.name.text() == dialog.name.selectedText() == "Comic 2"
    dialog.ok.click()
    ui.wait((looks_folder / "Comic 2.toml").exists)
    ui.wait(lambda: chain_of(ui.window).title.text() == "Comic 2")
    ui.wait(lambda: library.model.items[0].title == "Comic 2")
    assert [item.title for item in library.model.items if item.is_used] == ["Comic 2"]
    dialog = opened(ui)
    assert dialog.name.text() == "Comic 2", "one's own is replaced, knowingly"
    dialog.reject()


def test_the_name_of_a_bundled_look_is_refused(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    dialog = opened(ui)
    dialog.name.setText("comic ")
    assert not dialog.ok.isEnabled() and not dialog.elsewhere.isEnabled()
    assert "bundled" in dialog.note.text()
    dialog.name.setText("Comic of mine")
    assert dialog.ok.isEnabled() and dialog.elsewhere.isEnabled()
    dialog.reject()


def test_looks_of_the_user_come_first_and_the_newest_of_them_leads(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    library = library_of(ui.window)
    library.show_page("looks")
    for name in ("Aster", "Zinnia"):
        dialog = opened(ui)
        dialog.name.setText(name)
        dialog.ok.click()
        ui.wait(lambda wanted=name: library.model.items[0].title == wanted)
    assert [item.title for item in library.model.items[:2]] == ["Zinnia", "Aster"]
    assert [item.title for item in library.model.items if item.is_used] == ["Zinnia"]


def saved(ui, name: str):
    """Save the chain as a look, and return its item in the library."""
    library = library_of(ui.window)
    library.show_page("looks")
    dialog = opened(ui)
    dialog.name.setText(name)
    dialog.ok.click()
    ui.wait(lambda: library.model.items[0].title == name)
    return library.model.items[0]


def choose_command(ui, item, text: str) -> None:
    menu = library_of(ui.window).make_menu(item)
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.close()


def test_a_look_of_the_user_is_renamed(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    item, library = saved(ui, "Attic"), library_of(ui.window)
    ui.workspace.settings.favorite_presets = [item.name]
    look_path("Cellar").write_text("")
    choose_command(ui, item, "Rename...")
    dialog = next(each for each in ui.window.findChildren(RenameLookDialog) if each.isVisible())
    for name in ("Comic", "Cellar", " "):
        dialog.name.setText(name)
        assert not dialog.ok.isEnabled()
    dialog.name.setText("Letters")
    dialog.ok.click()
    # The list may find the file before the job has said that it is done.
    ui.wait(lambda: "Attic is called Letters now." in ui.notices)
    ui.wait(lambda: "Letters" in [each.title for each in library.model.items])
    assert look_path("Letters").exists() and not look_path("Attic").exists()
    assert tomllib.loads(look_path("Letters").read_text("utf-8"))["title"] == "Letters"
    assert ui.workspace.settings.favorite_presets == [str(look_path("Letters"))]
    assert chain_of(ui.window).title.text() == "Letters"
    assert [each.title for each in library.model.items if each.is_used] == ["Letters"]
    ui.workspace.settings.favorite_presets = []


def test_a_look_of_the_user_is_deleted_after_a_question(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    item, library = saved(ui, "Attic"), library_of(ui.window)
    choose_command(ui, item, "Delete...")
    box = next(each for each in ui.window.findChildren(QMessageBox) if each.isVisible())
    assert "Attic" in box.text() and look_path("Attic").exists()
    next(each for each in box.buttons() if each.text() == "Delete").click()
    ui.wait(lambda: "Attic" not in [each.title for each in library.model.items])
    assert not look_path("Attic").exists()
    # The list may miss the file before the job has said that it is done.
    ui.wait(lambda: "The look Attic was deleted." in ui.notices)


def test_bundled_looks_stay(ui, looks_folder):
    library = library_of(ui.window)
    library.show_page("looks")
    item = library.model.items[library.model.row_of("preset comic")]
    assert not {"Rename...", "Delete..."} & {action.text() for action in library.make_menu(item).actions()}


def test_another_folder_is_chosen(ui, looks_folder, tmp_path):
    ui.workspace.edits.add_filter("sepia")
    dialog = opened(ui)
    dialog.name.setText("Elsewhere")
    target = tmp_path / "deep.toml"
    with chosen_paths(target):
        dialog.elsewhere.click()
    ui.wait(target.exists)
    assert tomllib.loads(target.read_text("utf-8"))["title"] == "Elsewhere"


@pytest.mark.parametrize("name", ["a/b", "..", "CON:x", "what?", ".hidden", "end. "])
def test_names_that_are_no_names_of_files(looks_folder, name):
    path = look_path(name)
    assert path.parent == looks_folder and not path.name.startswith(".")
    assert not set(path.stem) & set('<>:"/\\|?*')


def press_undo(ui) -> None:
    """Press Undo of the notice on the frame."""
    button = next(each for each in ui.window.notices.findChildren(QPushButton) if each.text() == "Undo")
    button.click()


def test_a_look_that_removes_the_network_says_so_and_undo_brings_it_back(ui, looks_folder):
    networks, models = ui.workspace.get(Networks), builtin_models()
    detector, classifier = models["detector"], models["classifier"]
    networks.choose(NetworkSpec(str(detector.path)))
    networks.use(detector.path)
    ui.wait(lambda: not ui.workspace.jobs.running)  # its file is read
    ui.workspace.get(Opening).load_preset(bundled_presets()[0])
    ui.wait(lambda: ui.workspace.edits.setup.network is None)
    (said,) = (text for text in ui.notices if "has no network" in text)
    assert said.endswith(f"{detector.title} was removed.")
    press_undo(ui)
    assert ui.workspace.edits.setup.network.model == str(detector.path) and not ui.stages
    networks.use(classifier.path)
    said = f"{classifier.title} replaced the network {detector.title}."
    ui.wait(lambda: said in ui.notices)
    ui.workspace.edits.add_filter("sepia")
    press_undo(ui)
    assert ui.workspace.edits.setup.network.model == str(detector.path), "and what was done since stays"
    assert ui.stages == ["sepia"]


def test_edited_stays_where_the_name_is_elided(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    saved(ui, "A look with a name that is longer than the chain is wide")
    title = chain_of(ui.window).title
    ui.workspace.edits.add_filter("invert")
    assert title.text().endswith("wide (edited)")
    assert title.shown != title.text() and title.shown.endswith("\u2026 (edited)")
    assert title.text() in title.toolTip()


def test_a_network_is_an_edit_of_a_look(ui, looks_folder):
    ui.workspace.edits.add_filter("sepia")
    saved(ui, "Plain")
    title, networks = chain_of(ui.window).title, ui.workspace.get(Networks)
    networks.choose(NetworkSpec(str(builtin_models()["detector"].path)))
    assert title.text() == "Plain (edited)"
    saved(ui, "Plain and seen")
    ui.wait(lambda: title.text() == "Plain and seen")
    networks.choose(None)
    assert title.text() == "Plain and seen (edited)"
