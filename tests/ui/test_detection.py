"""A dropped detector draws boxes on the picture, where its things are, however the picture lies."""

from __future__ import annotations

import re
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from tiny_models import square_detector, squares
from window_panels import chain_of

from desktop.overlay.layout import OverlayState
from desktop.overlay.painting import paint_overlay
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.preset import load_preset
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.vision.tasks.shapes import Box, caption


@pytest.fixture
def model(tmp_path):
    return square_detector(tmp_path / "squares.onnx")


@pytest.fixture
def playing(ui, tmp_path, model):
    """The window with the two squares, and the detector dropped on them."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(model)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state in ("running", "failed"))
    assert ui.workspace.engine.current.network_status.state == "running", (
        ui.workspace.engine.current.network_status.text
    )
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    return ui


def placement(ui):
    """(left edge, top edge, device pixels for a pixel of the picture), reckoned from the canvas's size: it
    fits and is centered.
    """
    width, height = ui.window.viewport.device_size
    zoom = min(width / 128, height / 96)
    return width / 2 - 64 * zoom, height / 2 - 48 * zoom, zoom


def near(box: Box, left, top, right, bottom):
    # The boxes are in whole device pixels; a picture at a whole zoom is moved by up to half a pixel.
    np.testing.assert_allclose(
        (box.left, box.top, box.right, box.bottom), (left, top, right, bottom), atol=1.1
    )


def test_boxes_stand_where_the_things_are(playing):
    x, y, zoom = placement(playing)
    red, blue = playing.window.overlay.state().found
    assert (
        caption(red).startswith("red ") and caption(blue).startswith("blue ") and caption(red).endswith(" %")
    )
    near(red, x + 48 * zoom, y + 32 * zoom, x + 64 * zoom, y + 48 * zoom)
    near(blue, x + 96 * zoom, y + 64 * zoom, x + 112 * zoom, y + 80 * zoom)


def test_boxes_follow_mirror_and_zoom(playing):
    viewport = playing.window.viewport
    x, y, zoom = placement(playing)
    viewport.set_mirrored(True)
    red = playing.window.overlay.state().found[0]
    near(red, x + (128 - 64) * zoom, y + 32 * zoom, x + (128 - 48) * zoom, y + 48 * zoom)
    viewport.set_mirrored(False)
    viewport.zoom_to(2.0)
    red = playing.window.overlay.state().found[0]
    width, height = viewport.device_size
    left, top = width / 2 - 64 * 2, height / 2 - 48 * 2
    near(red, left + 48 * 2, top + 32 * 2, left + 64 * 2, top + 48 * 2)


def label_of(card, editor) -> str:
    """The text beside an editor."""
    return next(label.text() for label in card.findChildren(QLabel) if label.buddy() is editor)


def test_the_card_shows_what_a_detector_has(playing):
    card = chain_of(playing.window).network
    playing.wait(lambda: card.settings["score"].isVisibleTo(card.body))
    assert card.settings["classes"].isVisibleTo(card.body) and card.backend.isVisibleTo(card.body)
    assert card.settings["tiles"].isVisibleTo(card.body) and card.settings["tiles"].spin.value() == 1
    assert not card.settings["top"].isVisibleTo(card.body)
    # What is seldom set is folded away until it is asked for.
    seldom = (
        card.settings["iou"],
        card.task,
        card.precision,
        card.every,
        card.preprocess["scale"],
    )
    assert not any(widget.isVisibleTo(card.body) for widget in seldom)
    card.advanced.click()
    assert all(widget.isVisibleTo(card.body) for widget in seldom)
    assert label_of(card, card.every) == "Run every N frames"
    card.advanced.click()
    assert (card.settings["score"].spin.value(), card.settings["iou"].spin.value()) == (0.3, 0.45)
    assert "Detection" in card.task.itemText(0)


def test_score_and_classes_act_at_once_and_can_be_undone(playing):
    card, workspace = chain_of(playing.window).network, playing.workspace
    playing.wait(lambda: card.settings["score"].isVisibleTo(card.body))

    def labels():
        return {box.label.split()[0] for box in playing.window.overlay.state().found}

    running = workspace.engine.pipeline.analyses.current
    card.settings["score"].spin.setValue(0.9)
    playing.wait(lambda: labels() == {"red"})
    assert workspace.edits.setup.network.settings["score"] == 0.9
    card.settings["score"].spin.setValue(0.3)
    card.settings["classes"].line.setText("blue, ")
    card.settings["classes"].line.editingFinished.emit()
    playing.wait(lambda: labels() == {"blue"})
    assert workspace.edits.setup.network.settings["classes"] == ("blue",)
    workspace.edits.undo()
    playing.wait(lambda: labels() == {"red", "blue"})
    assert card.settings["classes"].line.text() == ""
    assert workspace.engine.pipeline.analyses.current is running


def test_candidates_that_were_too_many_are_told(playing):
    pipeline, card = playing.workspace.engine.pipeline, chain_of(playing.window).network
    pipeline.analyses.latest = replace(pipeline.analyses.latest, left_out=37)
    playing.window.refresh()
    assert card.note.isVisibleTo(card) and card.note.text().startswith("37 candidates")
    shown = card.sizeHint().height()
    pipeline.analyses.latest = replace(pipeline.analyses.latest, left_out=0)
    playing.window.refresh()
    assert not card.note.isVisibleTo(card)
    assert card.sizeHint().height() == shown, "the rows below do not move with each result"


def test_a_task_that_does_not_fit_is_said(playing):
    playing.workspace.get(Networks).choose(
        replace(playing.workspace.edits.setup.network, task="classification")
    )
    playing.wait(lambda: playing.workspace.engine.current.network_status.state == "failed")
    playing.wait(lambda: playing.notices)
    assert "squares.onnx is not a classifier" in playing.notices[0]
    assert not playing.window.overlay.state().found


def test_another_source_begins_without_the_last_ones_boxes(playing, tmp_path):
    path = tmp_path / "dark.png"
    assert cv2.imwrite(str(path), np.zeros((96, 128, 3), np.uint8))
    playing.play(str(path))
    playing.wait(lambda: not playing.window.overlay.state().found)


def test_a_preset_keeps_a_detectors_settings(playing, tmp_path):
    workspace = playing.workspace
    wanted = NetworkSpec(
        str(tmp_path / "squares.onnx"),
        task="detection",
        settings={"score": 0.4, "iou": 0.6, "classes": ("red",), "decoder": "yolox"},
    )
    workspace.get(Networks).choose(wanted)
    path = tmp_path / "look.toml"
    workspace.get(Opening).save_preset(path)
    playing.wait(lambda: path.exists() and playing.notices)
    loaded = load_preset(path, FilterLibrary(None))
    assert not loaded.warnings and loaded.setup.network == wanted
    text = path.read_text().replace("score = 0.4", "score = 4.0")
    path.write_text(re.sub(r"classes = \[[^]]*\]", 'classes = "red"', text))
    loaded = load_preset(path, FilterLibrary(None))
    assert loaded.setup.network == replace(wanted, settings={"iou": 0.6, "decoder": "yolox"})
    assert len(loaded.warnings) == 2


def test_boxes_are_painted():
    found = Box("dog 88 %", 16, 40, 60, 140, 150)
    image = paint_overlay(OverlayState(found=(found,)), 320, 240, 1.0)
    opaque = image[..., 3] == 255
    # The outline runs along the box's edges; inside and outside the picture shows through.
    assert opaque[100, 40] and opaque[100, 140] and opaque[150, 90]
    assert not image[100, 90].any() and not image[200, 200].any()
    # The label's ground has the outline's color, and stands above the box.
    assert (image[50, 41] == image[100, 40]).all() and image[50, 41, 3] == 255
    other = paint_overlay(OverlayState(found=(replace(found, index=0),)), 320, 240, 1.0)
    assert (other[100, 40] != image[100, 40]).any()


def test_a_label_stays_on_the_canvas():
    found = Box("bed 31 %", 1, -500, -500, 900, 900)
    image = paint_overlay(OverlayState(found=(found,)), 320, 240, 1.0)
    assert image[8, 3, 3] == 255
    tiny = paint_overlay(OverlayState(found=(Box("x", 0, 5, 5, 9, 9),)), 320, 240, 1.0)
    assert tiny[..., 3].any() and not tiny[40:, 40:].any()


def test_the_card_offers_the_decoders(playing):
    card, workspace = chain_of(playing.window).network, playing.workspace
    playing.wait(lambda: card.settings["score"].isVisibleTo(card.body))
    card.advanced.click()
    decoder = card.settings["decoder"].box
    assert decoder.isVisibleTo(card.body) and card.settings["units"].isVisibleTo(card.body)
    assert "YOLOX" in decoder.itemText(0)  # what 'auto' is
    assert {decoder.itemData(at) for at in range(decoder.count())} >= {"", "yolox", "yolov8", "yolov5"}
    decoder.setCurrentIndex(decoder.findData("yolox"))
    decoder.activated.emit(decoder.currentIndex())
    playing.wait(lambda: workspace.edits.setup.network.settings.get("decoder") == "yolox")
    playing.wait(lambda: "The chosen decoder is YOLOX" in workspace.engine.current.network_status.text)
    decoder.setCurrentIndex(0)
    decoder.activated.emit(0)
    playing.wait(lambda: "decoder" not in workspace.edits.setup.network.settings)
    card.advanced.click()
