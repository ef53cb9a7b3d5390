"""Hiding things in the window: the card, undo, what is saved, and what stands in for a network that is gone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from tiny_models import red_or_blue_model, square_detector, squares
from window_panels import chain_of

from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures
from desktop.vision.tracking.anonymize import AnonymizeSpec

FILLED = np.array([31, 31, 33])


@pytest.fixture
def playing(ui, tmp_path):
    """The window with two squares and a detector that finds them."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    ui.window.refresh()
    # The window is that of all tests, and a card keeps its values to be switched on again.
    chain_of(ui.window).card("anonymize").update_spec(AnonymizeSpec())
    chain_of(ui.window).card("anonymize").update_spec(None)
    return ui


def shown(ui) -> np.ndarray:
    engine = ui.workspace.engine
    exported = []
    # There is nothing to export until the first picture is drawn that is hidden.
    ui.wait(lambda: exported or exported.extend(filter(None, [engine.current.export()])) or exported)
    return exported[0].result()[..., :3].astype(int)


def is_filled(ui, row, column) -> bool:
    return bool((np.abs(shown(ui)[row, column] - FILLED) <= 1).all())


def fill(card) -> None:
    card.editors["kind"].edited.emit("fill")


def test_the_switch_hides_what_is_found_and_can_be_undone(playing):
    card, edits = chain_of(playing.window).card("anonymize"), playing.workspace.edits
    playing.wait(lambda: card.isVisibleTo(chain_of(playing.window)))
    assert not card.power.isChecked()
    fill(card)
    assert edits.setup.anonymize is None, "for when it is switched on"
    card.power.click()
    assert edits.setup.anonymize == AnonymizeSpec(kind="fill")
    playing.wait(
        lambda: is_filled(playing, 40, 56) and is_filled(playing, 72, 104) and not is_filled(playing, 5, 5)
    )
    playing.window.refresh()
    assert card.time.text() == "2 hidden"
    edits.undo()
    playing.wait(lambda: not is_filled(playing, 40, 56))
    assert not card.power.isChecked()
    playing.window.refresh()
    assert card.time.text() == ""


def test_classes_are_typed_and_unknown_ones_are_told(playing):
    card, edits = chain_of(playing.window).card("anonymize"), playing.workspace.edits
    fill(card)
    card.power.click()
    card.editors["classes"].line.setText("Red , green")
    card.editors["classes"].line.editingFinished.emit()
    assert edits.setup.anonymize.classes == ("Red", "green")
    playing.wait(lambda: is_filled(playing, 40, 56) and not is_filled(playing, 72, 104))
    assert card.note.isVisibleTo(card) and "green" in card.note.text() and "Red" not in card.note.text()
    card.editors["classes"].line.setText("")
    card.editors["classes"].line.editingFinished.emit()
    assert edits.setup.anonymize.classes == () and not card.note.isVisibleTo(card)


def test_a_drag_is_one_step(playing):
    card, edits = chain_of(playing.window).card("anonymize"), playing.workspace.edits
    card.power.click()
    for value in (0.2, 0.3, 0.4):
        card.editors["margin"].edited.emit(value)
    card.released.emit()
    assert edits.setup.anonymize.margin == 0.4
    edits.undo()
    assert edits.setup.anonymize == AnonymizeSpec()


def test_what_is_saved_is_hidden(playing, tmp_path):
    card = chain_of(playing.window).card("anonymize")
    fill(card)
    card.power.click()
    playing.wait(lambda: is_filled(playing, 40, 56) and not is_filled(playing, 5, 5))
    path = tmp_path / "saved.png"
    playing.workspace.get(Pictures).snapshot(path)
    playing.wait(path.exists)
    playing.wait(lambda: cv2.imread(str(path)) is not None)
    # Beside the outline and the name of the overlay.
    saved = cv2.imread(str(path))[..., ::-1].astype(int)
    assert (np.abs(saved[44, 60] - FILLED) <= 1).all()


def test_without_its_network_the_whole_picture_is_hidden_and_the_card_stays(playing, tmp_path):
    card = chain_of(playing.window).card("anonymize")
    fill(card)
    card.power.click()
    playing.wait(lambda: not is_filled(playing, 5, 5))
    playing.workspace.get(Networks).choose(None)
    playing.wait(lambda: is_filled(playing, 5, 5))
    playing.window.refresh()
    assert card.isVisibleTo(chain_of(playing.window)) and card.time.text() == "all of it"
    playing.drop(red_or_blue_model(tmp_path / "names.onnx"))
    playing.wait(lambda: playing.workspace.engine.current.result is not None)
    playing.wait(lambda: not playing.workspace.engine.current.wants_frames)
    assert is_filled(playing, 5, 5), "a network that names the picture says of no place that it may be seen"
    card.power.click()
    playing.wait(lambda: not is_filled(playing, 5, 5))
    playing.window.refresh()
    assert not card.isVisibleTo(chain_of(playing.window))


def test_a_look_that_is_tried_on_shows_nobody(playing, tmp_path):
    """Neither by what it leaves out nor by a network of its own; the window says so."""
    card, workspace = chain_of(playing.window).card("anonymize"), playing.workspace
    fill(card)
    card.power.click()
    playing.wait(lambda: is_filled(playing, 40, 56))
    network = workspace.edits.setup.network
    path = tmp_path / "look.toml"
    other = red_or_blue_model(tmp_path / "names.onnx")
    path.write_text(f'lightloom = 1\n[[filter]]\nname = "mirror"\n[network]\nmodel = "{other.name}"\n')
    told = []
    workspace.messages.notice.connect(told.append)
    workspace.get(Opening).load_preset(path)
    playing.wait(lambda: [stage.filter for stage in workspace.edits.chain.stages] == ["mirror"])
    assert workspace.edits.setup.anonymize == AnonymizeSpec(kind="fill")
    assert workspace.edits.setup.network == network
    assert any("Anonymize stays on" in notice.text and "look.toml" in notice.text for notice in told)
    playing.wait(lambda: is_filled(playing, 40, 128 - 56))


def test_faces_or_persons_are_usual_where_the_network_knows_them(playing):
    card = chain_of(playing.window).card("anonymize")
    card.use_labels(("car", "Person"))
    assert card.editors["classes"].line.text() == "Person"
    card.use_labels(("person", "face"))
    assert card.editors["classes"].line.text() == "face"
