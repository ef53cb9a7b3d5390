"""Following things in the window: the card, undo, what stands on the picture, and what ends it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest
from tiny_models import square_detector, squares
from window_panels import chain_of

from desktop.overlay.layout import Fonts, OverlayState, Trail, lay_out
from desktop.vision.tasks.shapes import Line
from desktop.vision.tracking.track import TrackSpec


@pytest.fixture
def playing(ui, tmp_path):
    """The window with two squares and a detector that finds them."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    ui.window.refresh()
    return ui


def identities(ui) -> list[int | None]:
    return [shape.identity for shape in ui.window.overlay.state().found]


def numbered(ui) -> list[int]:
    """The numbers of the two squares, once they have some."""
    ui.wait(lambda: all(identities(ui)) and len(identities(ui)) == 2)
    first, second = identities(ui)
    assert second == first + 1, "the best is numbered first"
    return [first, second]


def test_the_switch_numbers_what_is_found_and_can_be_undone(playing):
    card, edits = chain_of(playing.window).card("tracking"), playing.workspace.edits
    assert card.isVisibleTo(chain_of(playing.window)) and not card.power.isChecked()
    assert identities(playing) == [None, None]
    card.power.click()
    numbered(playing)
    assert edits.setup.scene.track == TrackSpec()
    playing.window.refresh()
    assert card.time.text() == "2 followed"
    edits.undo()
    playing.wait(lambda: identities(playing) == [None, None])
    assert not card.power.isChecked()


def test_a_drag_of_a_setting_is_one_step_and_keeps_identities(playing):
    card, edits = chain_of(playing.window).card("tracking"), playing.workspace.edits
    card.power.click()
    numbers = numbered(playing)
    for value in (3.0, 4.0, 5.0):
        card.editors["remember"].edited.emit(value)
    card.released.emit()
    assert edits.setup.scene.track == TrackSpec(remember=5.0)
    playing.wait(lambda: not playing.workspace.engine.pipeline.wants_frames)
    assert numbered(playing) == numbers
    edits.undo()
    assert edits.setup.scene.track == TrackSpec()
    # Off and on again brings the values that it had.
    card.editors["hits"].edited.emit(4)
    card.power.click()
    assert edits.setup.scene.track is None
    card.power.click()
    assert edits.setup.scene.track == TrackSpec(hits=4)


def test_a_seek_ends_the_identities(playing):
    engine = playing.workspace.engine
    chain_of(playing.window).card("tracking").power.click()
    numbers = numbered(playing)
    playing.workspace.playback.jumped.emit()
    engine.pipeline.analyses.refresh()
    playing.workspace.playback.woken.emit()
    playing.wait(lambda: identities(playing) == [number + 2 for number in numbers])


def test_there_is_nothing_to_follow_of_a_classifier(ui):
    ui.play()
    chain = chain_of(ui.window)
    assert not chain.card("tracking").isVisibleTo(chain)


def test_trails_are_drawn_in_the_color_of_who_went(playing):
    analyses = playing.workspace.engine.pipeline.analyses
    way = Line("red", 0, ((0.1, 0.1), (0.4, 0.2), (0.5, 0.5)), identity=7)
    analyses.tracked_result = replace(analyses.tracked_result, trails=(way,))
    state = playing.window.overlay.state()
    width, height = playing.window.viewport.device_size
    [trail] = state.trails
    zoom = min(width / 128, height / 96)
    left, top = width / 2 - 64 * zoom, height / 2 - 48 * zoom
    assert trail.points[0] == pytest.approx((left + 12.8 * zoom, top + 9.6 * zoom), abs=1.1)
    marks = lay_out(OverlayState(trails=state.trails), Fonts(width, height), width, height, 1.0)
    assert [(type(mark), mark.index) for mark in marks] == [(Trail, 7)]
