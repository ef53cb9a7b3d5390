"""A second network in the card of the first: chosen, set, undone, and what it says on the picture."""

from __future__ import annotations

import cv2
import pytest
from tiny_models import red_or_blue_model, square_detector, squares
from window_panels import chain_of

from desktop.pipeline.running.network_spec import NetworkSpec


@pytest.fixture
def playing(ui, tmp_path):
    """The window with two squares, and the detector of them dropped on it; `closer` is a classifier of their
    colors.
    """
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.closer = red_or_blue_model(tmp_path / "colors.onnx")
    runs(ui)
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    return ui


def runs(ui):
    ui.wait(lambda: ui.workspace.engine.current.network_status.state in ("running", "failed"))
    assert ui.workspace.engine.current.network_status.state == "running", (
        ui.workspace.engine.current.network_status.text
    )


def labels(ui):
    return [shape.label for shape in ui.window.overlay.state().found]


def test_a_second_network_is_chosen_set_and_taken_away(playing):
    card = chain_of(playing.window).network
    rows = card.second
    card.set_expanded(True)
    playing.wait(lambda: rows.isVisibleTo(card))
    assert not rows.things.isVisibleTo(rows)
    # The network in the box that names things is offered, and what was used lately; the file dialog is the
    # last entry.
    rows.model.opens.emit()
    offered = [rows.model.itemData(i) for i in range(rows.model.count())]
    assert offered[0] == "" and offered[-1] is None and any("classifier" in str(model) for model in offered)
    rows.use(str(playing.closer))
    runs(playing)
    playing.wait(lambda: labels(playing) == ["red: red", "blue: blue"])
    playing.wait(lambda: "Secondary network" in card.details.text())
    shown = {name for name, editor in rows.settings.items() if editor.isVisibleTo(rows)}
    assert shown == {"top"} and rows.things.isVisibleTo(rows)

    rows.things.setValue(1)
    second = playing.workspace.edits.setup.network.second
    assert second == NetworkSpec(str(playing.closer), things=1)
    playing.wait(lambda: labels(playing).count("red: red") == 1 and "blue: blue" not in labels(playing))

    playing.workspace.edits.undo()
    playing.wait(lambda: labels(playing) == ["red: red", "blue: blue"])
    # Long labels wrap: nothing is wider than the card of the narrowest chain.
    assert rows.minimumSizeHint().width() < 260
    rows.use("")
    assert playing.workspace.edits.setup.network.second is None
    playing.wait(lambda: labels(playing) == ["red", "blue"])


def test_a_second_network_that_cannot_serve_leaves_the_one_before(playing, shared):
    rows = chain_of(playing.window).network.second
    rows.use(str(shared / "models" / "style" / "fns_candy.onnx"))
    playing.wait(lambda: any("cannot be a secondary network" in text for text in playing.notices))
    assert playing.workspace.edits.setup.network.second is None
    playing.wait(lambda: labels(playing) == ["red", "blue"])
    runs(playing)
    playing.settle()
    assert any("cannot be a secondary network" in text for text in playing.notices), "it stays to be read"


def test_a_classifier_has_no_second_look(ui, tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(red_or_blue_model(tmp_path / "colors.onnx"))
    runs(ui)
    card = chain_of(ui.window).network
    card.set_expanded(True)
    ui.wait(lambda: card.settings["top"].isVisibleTo(card))
    assert not card.second.isVisibleTo(card)
