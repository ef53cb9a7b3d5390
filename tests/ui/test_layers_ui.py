"""Layers in the window: the panel, the layers in the video, undo, and what fails."""

from __future__ import annotations

import numpy as np
import pytest
from dialog_rig import answering, choose_path
from grid_rig import COLORS
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu

from desktop.base.paths import user_preset_folder
from desktop.pipeline.layers.spec import MOST_LAYERS, LayerPlace
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.layers.layer_edits import MAIN, LayerEdits
from desktop.ui.features.layers.layers_panel import LayersPanel
from desktop.ui.features.opening.opening import Opening

NO_KEYS = Qt.KeyboardModifier.NoModifier
HALF = LayerPlace(0.5, 0.0, 0.5, 1.0, "stretch")


@pytest.fixture
def still(ui, pictures):
    """The window with a red image and the panel of layers."""
    ui.play(str(pictures["red"]))
    ui.window.dock_area.show("layers", grow=True)
    ui.settle()
    return ui


@pytest.fixture
def edits(still) -> LayerEdits:
    return still.workspace.get(LayerEdits)


def panel_of(ui) -> LayersPanel:
    return ui.window.dock_area.panel("layers", LayersPanel)


def color_at(ui, x: float, y: float) -> tuple[int, ...]:
    ui.settle()
    image = ui.picture()
    return tuple(map(int, image[int(y * image.shape[0]), int(x * image.shape[1]), :3]))


def is_near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return bool(np.abs(np.subtract(found, wanted)).max() <= 3)


def at(ui, x: float, y: float) -> QPoint:
    return ui.window.viewport.point_of((x, y)).toPoint()


def drag(ui, start: tuple[float, float], end: tuple[float, float]) -> None:
    view = ui.window.viewport
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(ui, *start))
    for step in (0.5, 1.0):
        way = (start[0] + step * (end[0] - start[0]), start[1] + step * (end[1] - start[1]))
        QTest.mouseMove(view, at(ui, *way))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(ui, *end))


def rows(ui) -> list[str]:
    tree = panel_of(ui).tree
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def test_layers_are_added_ordered_hidden_and_undone(still, edits, pictures):
    assert rows(still) == ["Main image"] and panel_of(still).hint.text().startswith("Add a video")
    edits.add("image", {"path": str(pictures["green"])}, place=HALF)
    edits.add("image", {"path": str(pictures["blue"])}, place=HALF)
    assert rows(still) == [pictures["blue"].name, pictures["green"].name, "Main image"]
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["blue"]))
    assert is_near(color_at(still, 0.25, 0.5), COLORS["red"])
    # Alt+Down puts it under the other one, and again under the main image.
    still.activate()
    tree = panel_of(still).tree
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["green"]))
    QTest.keyClick(tree, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert rows(still) == [pictures["green"].name, "Main image", pictures["blue"].name]
    assert edits.spec.below
    tree.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["red"]))
    for _ in range(3):
        still.workspace.edits.undo()
    assert rows(still) == [pictures["blue"].name, pictures["green"].name, "Main image"]
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["blue"]))
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    assert rows(still) == [pictures["green"].name, "Main image"]


def test_a_layer_is_moved_and_resized_in_the_video(still, edits, pictures):
    edits.add("image", {"path": str(pictures["green"])}, place=LayerPlace(0.25, 0.25, 0.25, 0.25, "stretch"))
    still.wait(lambda: edits.share is not None)
    still.settle()
    drag(still, (0.4, 0.4), (0.6, 0.5))
    assert edits.place.x == pytest.approx(0.45, abs=0.02) and edits.place.y == pytest.approx(0.35, abs=0.02)
    still.settle()
    left, top, width, height = edits.share
    drag(still, (left + width, top + height), (left + width + 0.1, top + height + 0.2))
    assert edits.place.width == pytest.approx(0.35, abs=0.02)
    assert edits.place.height == pytest.approx(0.45, abs=0.02)
    before = edits.place
    # Arrows move it, with Shift less far; Page Down chooses a corner, and arrows then move that.
    edits.select(edits.selected)
    still.press(Qt.Key.Key_Right)
    assert edits.place.x == pytest.approx(before.x + 0.01)
    still.press(Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert edits.place.y == pytest.approx(before.y - 0.001)
    still.settle()
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_Left):
        still.press(key)
    assert edits.corner == 2
    assert edits.place.width == pytest.approx(before.width - 0.01, abs=0.02)
    still.press(Qt.Key.Key_Escape)
    assert edits.selected is None and not edits.handles
    still.press(Qt.Key.Key_Right)
    assert not panel_of(still).details.isVisible()


def test_the_form_changes_values_and_the_main_image_has_a_place(still, edits, pictures):
    edits.add(
        "image", {"path": str(pictures["green"])}, place=HALF, main=LayerPlace(0.0, 0.0, 0.5, 1.0, "stretch")
    )
    edits.select(MAIN)
    assert panel_of(still).remove.isEnabled()
    edits.set_value("width", 0.25)
    still.wait(lambda: color_at(still, 0.4, 0.5) == (0, 0, 0))
    panel_of(still).remove.click()
    assert edits.place == LayerPlace()
    still.wait(lambda: is_near(color_at(still, 0.4, 0.5), COLORS["red"]))
    edits.select(edits.layers.specs[0].id)
    edits.set_value("opacity", 0.5)
    edits.set_value("blend", "add")
    edits.set_value("path", str(pictures["blue"]))
    spec = edits.spec
    assert (spec.opacity, spec.blend, spec.values["path"]) == (0.5, "add", str(pictures["blue"]))
    edits.set_value("x", 9.0)
    assert any("'x' of a place is 9.0" in notice for notice in still.notices)


def test_a_text_is_drawn_with_the_name_of_the_source(still, edits, pictures):
    edits.add("text", {"value": "{file}", "size": 0.5, "color": "#ffffff", "outline": 0.0})
    still.wait(lambda: still.workspace.engine.current.facts.name == pictures["red"].name)
    still.settle()
    white = (still.picture()[..., :3] > 200).all(2)
    assert white.sum() > 20
    edits.set_value("value", "{oops}")
    assert any("'{oops}' is no variable of a text" in notice for notice in still.notices)
    assert edits.spec.values["value"] == "{file}"


def test_effects_are_pasted_into_a_layer(still, edits, pictures):
    still.workspace.edits.add_filter("invert")
    still.workspace.edits.copy_stages(())
    still.workspace.edits.undo()
    edits.add("image", {"path": str(pictures["green"])}, place=HALF)
    effects = panel_of(still).details.effects
    effects.paste.click()
    assert [card.title.text() for card in effects.cards.values()] == ["Invert"]
    inverted = tuple(255 - part for part in COLORS["green"])
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), inverted))
    assert is_near(color_at(still, 0.25, 0.5), COLORS["red"])
    (card,) = effects.cards.values()
    card.power.click()
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["green"]))
    card.power.click()
    edits.add_effect("exposure")
    stage = edits.spec.chain.stages[1]
    edits.set_effect_value(stage.id, "stops", -1.0)
    effects.cards[stage.id].set_expanded(True)
    effects.cards[stage.id].command.emit("up")
    assert [each.filter for each in edits.spec.chain.stages] == ["exposure", "invert"]
    assert edits.spec.chain.stages[0].values["stops"] == -1.0
    effects.fill_menu()
    assert sum(len(each.menu().actions()) for each in effects.menu.actions()) == len(
        still.workspace.library.filters
    )
    for card in list(effects.cards.values()):
        card.command.emit("remove")
    assert not effects.cards and effects.hint.isVisible()
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["green"]))


def test_a_layer_without_its_file_is_reported_and_the_rest_goes_on(still, edits, pictures, tmp_path):
    edits.add("image", {"path": str(pictures["green"])}, place=HALF)
    edits.add("video", {"path": str(tmp_path / "gone.mp4")})
    still.wait(lambda: any("The layer 'gone.mp4' is not drawn" in notice for notice in still.notices))
    still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["green"]))
    panel = panel_of(still)
    panel.update_figures()
    assert panel.tree.topLevelItem(0).text(1) == "failed"
    edits.remove()
    still.wait(lambda: not any("gone.mp4" in notice for notice in still.notices))


def test_a_video_shows_the_frame_of_the_main_one_s_time_also_after_a_seek(ui):
    ui.play("sample:128x72@10")
    edits = ui.workspace.get(LayerEdits)
    ui.pause()
    whole = LayerPlace(0.0, 0.0, 1.0, 1.0)
    edits.add("video", {"path": "sample:128x72@10"}, place=whole, blend="difference")
    playback, current = ui.workspace.playback, ui.workspace.engine.current
    for seconds in (4.0, 1.5, 1.6):
        playback.seek(seconds)
        ui.wait(lambda s=seconds: abs(current.shown_pts - s) < 0.06)
        # The same frame twice: nothing is left of it.
        ui.wait(lambda: ui.picture()[..., :3].max() <= 2)
    ui.settle()


def test_there_are_no_more_layers_than_can_be(still, edits):
    for _ in range(MOST_LAYERS):
        edits.add("text", {"value": "x"})
    panel = panel_of(still)
    assert not panel.add.isEnabled() and panel.hint.text() == "There are as many layers as there can be."
    edits.add("text", {"value": "x"})
    assert any("at most 8 layers" in notice for notice in still.notices)


def test_the_menu_adds_each_kind_of_text(still, edits):
    menu: QMenu = panel_of(still).add.menu()
    for title, value in (("Text", "Your text"), ("Time code", "{timecode}"), ("Counter", "{count}")):
        next(action for action in menu.actions() if action.text() == title).trigger()
        assert edits.spec.values["value"] == value
    still.wait(lambda: all(status.state == "running" for status in edits.statuses.values()))
    # The counter is selected, and nothing counts.
    assert "there is none: choose one" in panel_of(still).hint.text()
    edits.select(edits.layers.specs[0].id)
    assert not panel_of(still).hint.text()


def test_a_layer_is_dragged_to_another_place_in_the_list(still, edits):
    for value in ("1", "2", "3"):
        edits.add("text", {"value": value})
    tree = panel_of(still).tree
    bottom = tree.visualItemRect(tree.topLevelItem(3)).bottom() - 1
    event = QDropEvent(
        QPointF(20, bottom), Qt.DropAction.MoveAction, QMimeData(), Qt.MouseButton.LeftButton, NO_KEYS
    )
    tree.dropEvent(event)
    assert rows(still) == ["2", "1", "Main image", "3"] and edits.spec.below
    event = QDropEvent(
        QPointF(20, 1), Qt.DropAction.MoveAction, QMimeData(), Qt.MouseButton.LeftButton, NO_KEYS
    )
    tree.dropEvent(event)
    assert rows(still) == ["3", "2", "1", "Main image"]


def test_keys_use_looks_of_the_user_as_scenes_and_fade_to_them(still, edits, pictures):
    window, workspace = still.window, still.workspace
    workspace.settings.look_fade = 0.3
    user_preset_folder().mkdir(parents=True, exist_ok=True)
    try:
        edits.add("image", {"path": str(pictures["green"])}, place=HALF)
        workspace.get(Opening).save_preset(user_preset_folder() / "a scene.toml")
        still.wait(lambda: any("Look saved" in notice for notice in still.notices))
        workspace.edits.edit(Setup(), "")
        still.press(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
        still.wait(lambda: workspace.edits.setup.layers.specs)
        still.wait(lambda: is_near(color_at(still, 0.75, 0.5), COLORS["green"]))
        still.press(Qt.Key.Key_9, Qt.KeyboardModifier.AltModifier)
        assert "There is no scene 9" in window.overlay.state().toast
    finally:
        (user_preset_folder() / "a scene.toml").unlink()


def test_of_more_files_than_there_is_room_for_those_left_out_are_named(still, edits, pictures):
    dialogs = []

    def answer(dialog):
        dialogs.append(dialog.fileMode())
        names = " ".join(f'"{path}"' for path in pictures.values())
        choose_path(dialog, names if len(dialogs) == 1 else pictures["red"])

    with answering(answer):
        for title in ("Two by two...", "Picture in picture..."):
            menu = panel_of(still).add.menu()
            next(action for action in menu.actions() if action.text() == title).trigger()
    assert dialogs == [QFileDialog.FileMode.ExistingFiles, QFileDialog.FileMode.ExistingFile]
    assert still.notices == ["There is room for 3 beside the main image; left out: white.png"]
    assert len(edits.layers.specs) == 4
