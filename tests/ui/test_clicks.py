"""Pointing at things: clicks, boxes and keys reach the network, and the picture is held for it."""

from __future__ import annotations

import cv2
import material
import numpy as np
import pytest
from prompt_models import decoder, encoder
from pycocotools.coco import COCO
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tiny_models import squares

from desktop.overlay.layout import Fonts, Frame, Pin, lay_out
from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.features.zones.zones import Zones
from desktop.vision.tasks.shapes import Mask


@pytest.fixture
def pair(tmp_path):
    """A pair in one folder, of which either is dropped."""
    encoder(tmp_path / "net.encoder.onnx")
    return decoder(tmp_path / "net.decoder.onnx")


@pytest.fixture
def pointing(ui, tmp_path, pair):
    """The window with the two squares and a pair in use, of which the decoder was dropped."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(pair)
    ui.wait(lambda: ui.workspace.get(Clicks).is_active)
    ui.settle()
    yield ui
    ui.workspace.get(Clicks).clear()


def at(ui, x: float, y: float) -> QPoint:
    """Where a share of the picture is on the viewport: the picture fits and is centered."""
    view = ui.window.viewport
    width, height = ui.workspace.engine.current.picture_size
    zoom = min(view.width() / width, view.height() / height)
    middle = (view.width() / 2 + (x - 0.5) * width * zoom, view.height() / 2 + (y - 0.5) * height * zoom)
    return QPoint(*map(round, middle))


def click(
    ui, x: float, y: float, button=Qt.MouseButton.LeftButton, modifier=Qt.KeyboardModifier.NoModifier
) -> None:
    QTest.mouseClick(ui.window.viewport, button, modifier, at(ui, x, y))


def answered(ui):
    """The result for what is pointed at now, once it is there."""
    clicks, engine = ui.workspace.get(Clicks), ui.workspace.engine
    ui.wait(lambda: engine.current.result is not None and engine.current.result.prompts == clicks.prompts)
    return engine.current.result


def drawn(ui) -> list[object]:
    return lay_out(ui.window.overlay.state(), Fonts(800, 600), 800, 600, 1.0)


def test_clicks_make_a_mask_and_keys_take_them_back(pointing):
    ui, clicks = pointing, pointing.workspace.get(Clicks)
    encoded = ui.workspace.engine.pipeline.analyses.current
    click(ui, 0.3, 0.4)
    first = answered(ui)
    assert [(round(p.x, 1), round(p.y, 1), p.inside) for p in clicks.prompts.points] == [(0.3, 0.4, True)]
    assert [type(shape) for shape in ui.workspace.engine.current.tracked_result.shapes] == [Mask] * len(
        first.masks
    )
    click(ui, 0.8, 0.8, Qt.MouseButton.RightButton)
    click(ui, 0.7, 0.2, modifier=Qt.KeyboardModifier.AltModifier)
    assert [p.inside for p in clicks.prompts.points] == [True, False, False]
    answered(ui)
    pins = [mark.inside for mark in drawn(ui) if isinstance(mark, Pin)]
    assert pins == [True, False, False]
    QTest.keyClick(ui.window.viewport, Qt.Key.Key_Backspace)
    assert len(clicks.prompts.points) == 2
    answered(ui)
    assert encoded.encoded == 1, "the picture is looked at once"
    QTest.keyClick(ui.window.viewport, Qt.Key.Key_Escape)
    ui.wait(lambda: not ui.workspace.engine.current.result.masks)
    assert not clicks.prompts and not [mark for mark in drawn(ui) if isinstance(mark, Pin)]


def test_a_drag_draws_a_box(pointing):
    ui, view = pointing, pointing.window.viewport
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(ui, 0.6, 0.7))
    QTest.mouseMove(view, at(ui, 0.4, 0.5))
    QTest.mouseMove(view, at(ui, 0.2, 0.3))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(ui, 0.2, 0.3))
    box = ui.workspace.get(Clicks).prompts.box
    assert box == pytest.approx((0.2, 0.3, 0.6, 0.7), abs=0.01)
    assert answered(ui).prompts.box == box
    assert len([mark for mark in drawn(ui) if isinstance(mark, Frame)]) == 1


def test_a_video_pauses_and_what_was_pointed_at_goes_with_its_picture(pointing, tmp_path):
    ui, workspace = pointing, pointing.workspace
    ui.play(str(material.video(tmp_path / "ramp.mp4")))
    # On a busy machine it ends before the click.
    workspace.playback.toggle_loop()
    ui.wait(lambda: workspace.get(Clicks).is_active and workspace.engine.current.picture_size == (64, 48))
    if not workspace.playback.is_playing:
        workspace.playback.toggle()
    ui.wait(lambda: workspace.playback.is_playing)
    click(ui, 0.5, 0.5)
    assert not workspace.playback.is_playing
    answered(ui)
    frame = workspace.engine.current.frame
    QTest.qWait(200)
    assert workspace.engine.current.frame is frame and workspace.get(Clicks).prompts
    workspace.playback.step(1)
    ui.wait(lambda: workspace.engine.current.frame is not frame)
    ui.wait(lambda: not workspace.get(Clicks).prompts)
    ui.wait(lambda: not workspace.engine.current.result.masks)


def test_what_is_live_stands_still_until_it_is_let_go(pointing):
    ui, workspace = pointing, pointing.workspace
    ui.play()  # the sample
    ui.wait(lambda: workspace.get(Clicks).is_active and workspace.engine.current.picture_size == (128, 72))
    workspace.get(Clicks).add_point((0.5, 0.5))
    answered(ui)
    frame = workspace.engine.current.frame
    QTest.qWait(300)
    assert workspace.engine.current.frame is frame
    workspace.get(Clicks).clear()
    if workspace.playback.seekable is None:
        ui.wait(lambda: workspace.engine.current.frame is not frame)
    else:
        assert not workspace.playback.is_playing


def test_the_cut_out_is_the_picture_where_the_mask_is(pointing):
    ui, engine = pointing, pointing.workspace.engine
    click(ui, 0.3, 0.4)
    result = answered(ui)
    inside = result.masks[0].read().astype(bool)
    ui.wait(lambda: ui.window.actions_by_name["copy_cut_out"].isEnabled())
    ui.window.actions_by_name["copy_cut_out"].trigger()
    ui.wait(lambda: not QGuiApplication.clipboard().image().isNull())
    image = (
        QGuiApplication.clipboard()
        .image()
        .convertToFormat(QGuiApplication.clipboard().image().Format.Format_RGBA8888)
    )
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels = pixels[:, : image.width() * 4].reshape(image.height(), image.width(), 4)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    assert (pixels[..., 3] > 0).tolist() == inside[part].tolist()
    expected = squares()[part]
    assert np.abs(pixels[..., :3].astype(int) - expected)[inside[part]].max() <= 1
    assert engine.current.takes_prompts


def test_what_is_marked_is_saved_as_coco_reads_it(pointing, tmp_path):
    ui = pointing
    folder = tmp_path / "snapshots"
    ui.workspace.settings.snapshot_folder = str(folder)
    click(ui, 0.3, 0.4)
    inside = answered(ui).masks[0].read()
    ui.wait(lambda: ui.window.actions_by_name["save_shown"].isEnabled())
    ui.window.actions_by_name["save_shown"].trigger()
    ui.wait(lambda: list(folder.glob("*.json")))
    found = COCO(str(next(folder.glob("*.json"))))
    (annotation,) = found.loadAnns(found.getAnnIds())
    assert (found.annToMask(annotation) == inside).all()
    assert not ui.workspace.get(ResultsExport).is_offered, "nobody points at things in a whole file"


def test_a_half_without_the_other_is_told_of(ui, tmp_path):
    ui.play()
    alone = tmp_path / "alone"
    alone.mkdir()
    ui.drop(encoder(alone / "only.encoder.onnx"))
    ui.wait(lambda: any("needs its decoder" in text for text in ui.notices))
    assert not ui.workspace.get(Clicks).is_active
    ui.workspace.get(Clicks).add_point((0.5, 0.5))
    assert not ui.workspace.get(Clicks).prompts


def test_prompts_are_undone_and_redone_like_edits(pointing):
    ui, clicks, edits = pointing, pointing.workspace.get(Clicks), pointing.workspace.edits
    undo, redo = (ui.window.actions_by_name[name] for name in ("undo", "redo"))
    click(ui, 0.3, 0.4)
    click(ui, 0.8, 0.8, Qt.MouseButton.RightButton)
    answered(ui)
    both = clicks.prompts
    ui.wait(undo.isEnabled)
    undo.trigger()
    assert len(clicks.prompts.points) == 1 and answered(ui).masks
    redo.trigger()
    assert clicks.prompts == both
    # An edit of the chain after them is undone before them.
    edits.add_filter("invert")
    undo.trigger()
    assert not edits.chain.stages and clicks.prompts == both
    undo.trigger()
    undo.trigger()
    assert not clicks.prompts
    redo.trigger()
    assert len(clicks.prompts.points) == 1
    # Cleared by Escape, they come back; a new one ends what can be redone.
    QTest.keyClick(ui.window.viewport, Qt.Key.Key_Escape)
    assert not clicks.prompts
    undo.trigger()
    assert len(clicks.prompts.points) == 1
    click(ui, 0.6, 0.6)
    assert not clicks.redo_label


def test_prompts_are_not_undone_on_another_image(pointing, tmp_path):
    ui, clicks = pointing, pointing.workspace.get(Clicks)
    click(ui, 0.3, 0.4)
    answered(ui)
    assert clicks.undo_label
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    ui.wait(lambda: not clicks.undo_label)
    assert not clicks.prompts


def test_undo_covers_what_lies_on_the_frame(ui):
    """Zones with their events and the heat map are steps of the same history as the chain."""
    zones, edits = ui.workspace.get(Zones), ui.workspace.edits
    ui.play()
    zones.add_usual("polygon")
    ui.workspace.edits.add_filter("invert")
    zones.toggle_heat_map()
    labels = []
    while edits.undo_label:
        labels.append(edits.undo_label)
        edits.undo()
    assert len(labels) >= 3 and not zones.scene.zones and not zones.scene.heat_map
    for _ in labels:
        edits.redo()
    assert zones.scene.zones and zones.scene.heat_map and edits.chain.stages
