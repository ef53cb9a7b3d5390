"""Opacity, blend modes and masks of stages in the window: their card, drawing in the video, undo and copies."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from tiny_models import square_detector, squares
from window_panels import chain_of

from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.mixing import MaskStatus
from desktop.pipeline.chain.runner import StageStatus
from desktop.pipeline.filters.params.points import MOST_POINTS, lines_of, points_text
from desktop.pipeline.masks.blending import BLEND_MODES
from desktop.pipeline.masks.spec import MOST_PARTS, MaskPart, MaskSpec
from desktop.ui.features.masks.masks import Masks, PartPlace
from desktop.ui.features.masks.mixing_section import MixingSection
from desktop.ui.features.masks.part_row import PartRow
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.zones.zones import Zones
from desktop.ui.kit.widgets import tab_stops
from desktop.ui.workspace.history import AppliedLook
from desktop.vision.tasks.shapes import bounds
from desktop.vision.tracking.track import TrackSpec


def part(ui, kind: str, join: str = "add", **values: object) -> MaskPart:
    return MaskPart(kind, ui.workspace.library.mask(kind).check(values), join)


def mixing_of(stage) -> tuple[object, ...]:
    return stage.opacity, stage.blend, stage.mask


def test_copies_keep_opacity_blend_mode_and_mask(ui):
    edits = ui.workspace.edits
    first = edits.add_filter("gaussian_blur")
    edits.set_opacity(first, 0.6)
    edits.set_blend(first, "multiply")
    edits.set_mask(first, MaskSpec((part(ui, "ellipse", width=20.0),), feather=2.0))
    wanted = mixing_of(edits.chain.find(first))
    assert wanted[:2] == (0.6, "multiply") and wanted[2].feather == 2.0
    edits.duplicate_stage(first)
    edits.copy_stages((first,))
    edits.paste_stages()
    assert [mixing_of(stage) for stage in edits.chain.stages] == [wanted] * 3
    edits.set_enabled(first, False)
    edits.move_stage(first, 2)
    edits.set_value(first, "radius", 5.0)
    assert mixing_of(edits.chain.find(first)) == wanted
    assert mixing_of(edits.fitted(edits.chain, {"gaussian_blur"}).find(first)) == wanted


def test_a_copied_mask_reads_the_copied_effect(ui):
    edits = ui.workspace.edits
    first, second = edits.add_filter("invert"), edits.add_filter("gaussian_blur")
    edits.set_mask(second, MaskSpec((part(ui, "stage", stage=first),)))
    edits.copy_stages(())
    edits.paste_stages()
    assert len(edits.chain.stages) == 4
    source, reader = edits.chain.stages[2:]
    assert reader.mask.parts[0].values["stage"] == source.id != first
    # Alone, it reads what it read before.
    edits.duplicate_stage(second)
    assert edits.chain.stages[2].mask.parts[0].values["stage"] == first
    # Before it, or without it, there is nothing to read.
    edits.copy_stages((second,))
    edits.paste_stages(0)
    assert edits.chain.stages[0].mask.parts[0].values["stage"] == 0
    edits.clear_chain()
    edits.paste_stages()
    assert edits.chain.stages[0].mask.parts[0].values["stage"] == 0


def test_steps_of_a_drag_are_undone_together(ui):
    edits = ui.workspace.edits
    stage = edits.add_filter("invert")
    for opacity in (0.9, 0.7, 0.5):
        edits.set_opacity(stage, opacity)
    edits.seal()
    edits.set_opacity(stage, 0.2)
    assert edits.undo_label == "Opacity of Invert"
    edits.undo()
    assert edits.chain.find(stage).opacity == 0.5
    edits.undo()
    assert edits.chain.find(stage).opacity == 1.0
    edits.redo()
    edits.set_mask(stage, MaskSpec((part(ui, "ellipse"),)))
    edits.set_mask(stage, MaskSpec())
    assert edits.chain.find(stage).mask is None


def test_a_look_is_edited_once_its_mixing_is(ui):
    edits = ui.workspace.edits
    stage = edits.add_filter("invert")
    look = AppliedLook("Mine", edits.chain)
    assert look.is_unchanged(edits.setup)
    for change in ({"opacity": 0.5}, {"blend": "screen"}, {"mask": MaskSpec((part(ui, "ellipse"),))}):
        changed = edits.chain.with_mixing(stage, **change)
        assert not look.is_unchanged(replace(edits.setup, chain=changed))


def test_a_look_brings_opacity_blend_mode_and_mask(ui, tmp_path):
    edits, opening = ui.workspace.edits, ui.workspace.get(Opening)
    stage = edits.add_filter("gaussian_blur")
    edits.set_opacity(stage, 0.5)
    edits.set_blend(stage, "screen")
    edits.set_mask(stage, MaskSpec((part(ui, "ellipse", width=20.0), part(ui, "luma", "subtract"))))
    wanted = mixing_of(edits.chain.find(stage))
    path = tmp_path / "mine.toml"
    opening.save_preset(path)
    ui.wait(path.exists)
    edits.clear_chain()
    opening.load_preset(path)
    ui.wait(lambda: ui.stages == ["gaussian_blur"])
    (loaded,) = edits.chain.stages
    assert mixing_of(loaded) == wanted
    section = section_of(ui, loaded.id)
    assert [row.title.plain for row in section.parts] == ["Ellipse", "Brightness range"]
    assert section.editors["blend"].box.currentText() == "Screen"
    assert section.editors["opacity"].spin.value() == 50


# -- the card ------------------------------------------------------------------------------------------------


@pytest.fixture
def still(ui, tmp_path):
    """The window with a white square on black, 128 x 96."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.settle()
    yield ui
    ui.workspace.get(Masks).select(None)


def section_of(ui, stage: int, *, is_open: bool = True) -> MixingSection:
    """The fold of a stage's card, which is open."""
    panel = chain_of(ui.window)
    panel.expand(stage, only_open=True)
    section = panel.cards[stage].section
    assert isinstance(section, MixingSection)
    if section.fold.isChecked() != is_open:
        section.fold.click()
    ui.wait(section.isVisible)
    return section


def add_part(section: MixingSection, title: str) -> PartRow:
    """Add a part by the menu; return its row, which is expanded."""
    (action,) = (action for action in section.add.menu().actions() if action.text() == title)
    assert action.isEnabled()
    action.trigger()
    row = section.parts[-1]
    assert row.title.plain == title and row.is_expanded
    return row


def mask_of(ui, stage: int) -> MaskSpec:
    mask = ui.workspace.edits.chain.find(stage).mask
    assert mask is not None
    return mask


def test_a_stage_has_one_folded_row_until_something_is_in_use(ui):
    edits = ui.workspace.edits
    stage = edits.add_filter("gaussian_blur")
    section = section_of(ui, stage, is_open=False)
    assert section.fold.text() == "▸ Mask and blend" and section.body is None
    controls = [each for each in section.findChildren(QAbstractButton) if each.isVisibleTo(section)]
    assert controls == [section.fold]
    section.fold.click()
    assert section.editors["opacity"].isVisibleTo(section) and section.add.isVisibleTo(section)
    assert not section.editors["feather"].isVisibleTo(section), "there is no mask yet"
    section.fold.click()
    edits.set_mask(stage, MaskSpec((part(ui, "person"), part(ui, "ellipse"))))
    edits.set_blend(stage, "multiply")
    edits.set_opacity(stage, 0.6)
    assert section.summary.plain == "Mask: Person or class, Ellipse · Multiply · 60 %"
    assert section.fold.accessibleName() == section.summary.plain
    chain_of(ui.window).rebuild()
    section = chain_of(ui.window).cards[stage].section
    assert section.fold.isChecked(), "what is in use is shown when the card is made"


def test_opacity_and_blend_mode_are_edited_in_the_card(ui):
    edits = ui.workspace.edits
    stage = edits.add_filter("invert")
    section = section_of(ui, stage)
    slider = section.editors["opacity"].slider
    slider.setSliderDown(True)
    for position in (80, 50, 30):
        slider.setValue(position)
    slider.setSliderDown(False)
    assert edits.chain.find(stage).opacity == pytest.approx(0.3)
    box = section.editors["blend"].box
    modes = {box.itemData(index) for index in range(box.count())} - {None}
    assert modes == set(BLEND_MODES) and box.itemText(0) == "Normal"
    index = box.findData("soft_light")
    box.setCurrentIndex(index)
    box.activated.emit(index)
    assert edits.chain.find(stage).blend == "soft_light"
    edits.undo()
    edits.undo()
    assert not edits.chain.find(stage).is_mixed
    assert section.editors["opacity"].spin.value() == 100 and box.currentText() == "Normal"


def test_parts_are_added_changed_moved_and_removed(still):
    edits = still.workspace.edits
    stage = edits.add_filter("invert")
    section = section_of(still, stage)
    first = add_part(section, "Ellipse")
    assert edits.undo_label == "Add Ellipse to the mask" and first.join.isHidden()
    first.rows.editors["width"].spin.setValue(30.0)
    assert mask_of(still, stage).parts[0].values["width"] == 30.0
    second = add_part(section, "Brightness range")
    assert not section.parts[0].is_expanded
    second.rows.editors["low"].spin.setValue(75.0)
    joins = [second.join.itemText(index) for index in range(second.join.count())]
    assert joins == ["Add", "Subtract", "Intersect"]
    second.join.activated.emit(1)
    second.invert.box.click()
    found = mask_of(still, stage).parts[1]
    assert (found.join, found.inverted, found.values["low"]) == ("subtract", True, 75.0)
    assert second.title.plain == "Brightness range, inverted"
    section.editors["feather"].spin.setValue(2.0)
    section.editors["if_missing"].box.activated.emit(2)
    assert (mask_of(still, stage).feather, mask_of(still, stage).if_missing) == (2.0, "black")
    QTest.keyClick(second.expander, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [each.kind for each in mask_of(still, stage).parts] == ["luma", "ellipse"]
    assert len(edits.chain.stages) == 1 and section.parts[0].is_expanded
    # The first part is joined with nothing, unless it is taken from the whole frame.
    assert not section.parts[0].join.isHidden() and section.parts[0].join.count() == 2
    QTest.keyClick(section.parts[0].more, Qt.Key.Key_Delete)
    assert [each.kind for each in mask_of(still, stage).parts] == ["ellipse"]
    assert edits.chain.stages, "the part was removed, not the effect"
    edits.undo()
    assert len(section.parts) == 2
    (remove,) = (each for each in section.parts[1].make_menu().actions() if each.text() == "Remove")
    remove.trigger()
    QTest.keyClick(section.parts[0].more, Qt.Key.Key_Delete)
    assert edits.chain.find(stage).mask is None and not section.editors["feather"].isVisibleTo(section)


def test_automation_stays_with_its_part(still):
    edits = still.workspace.edits
    stage = edits.add_filter("invert")
    masks = still.workspace.get(Masks)
    for kind in ("ellipse", "luma", "hue"):
        masks.add(stage, kind)
    names = {"opacity": 0.1, "mask.feather": 0.2, "mask.1.width": 0.3, "mask.2.low": 0.4, "mask.3.hue": 0.5}
    automation = {name: Automation("oscillator", low=low) for name, low in names.items()}
    edits.edit_chain(edits.chain.with_mixing(stage, automation=automation), "Automate")

    def automated() -> dict[str, float]:
        return {name: each.low for name, each in edits.chain.find(stage).automation.items()}

    masks.move(PartPlace(stage, 2), 0)
    rest = {"opacity": 0.1, "mask.feather": 0.2}
    assert automated() == rest | {"mask.1.hue": 0.5, "mask.2.width": 0.3, "mask.3.low": 0.4}
    masks.remove(PartPlace(stage, 1))
    assert automated() == rest | {"mask.1.hue": 0.5, "mask.2.low": 0.4}
    edits.duplicate_stage(stage)
    assert edits.chain.stages[1].automation == edits.chain.stages[0].automation
    edits.undo()
    edits.undo()
    edits.undo()
    assert automated() == names


def test_an_effect_and_a_zone_are_chosen_by_name(still):
    workspace = still.workspace
    edits = workspace.edits
    source, stage = edits.add_filter("invert"), edits.add_filter("gaussian_blur")
    edits.add_filter("bloom")
    workspace.get(Zones).add_usual("polygon")
    section = section_of(still, stage)
    box = add_part(section, "Another effect").rows.editors["stage"].box
    assert [box.itemText(index) for index in range(box.count())] == ["1. Invert"]
    box.activated.emit(0)
    assert mask_of(still, stage).parts[0].values["stage"] == source
    box = add_part(section, "Zone").rows.editors["zone"].box
    assert [box.itemText(index) for index in range(box.count())] == ["All zones", "Zone 1"]
    box.activated.emit(1)
    assert mask_of(still, stage).parts[1].values["zone"] == "Zone 1"


def test_the_card_has_a_line_about_a_late_or_missing_mask(ui):
    stage = ui.workspace.edits.add_filter("invert")
    card = chain_of(ui.window).cards[stage]
    status = StageStatus(stage, "Invert", "running", mask=MaskStatus("ready", lag_ms=80.4))
    card.show_status(status, 1.0)
    assert card.mask_state.text() == "The mask is 80 ms late" and card.mask_state.isVisibleTo(card)
    card.show_status(replace(status, mask=MaskStatus("missing")), 1.0)
    assert card.mask_state.text() == "There is no mask for this frame"
    card.show_status(replace(status, mask=MaskStatus("failed", "It is broken.")), 1.0)
    assert card.mask_state.text() == "It is broken."
    card.show_status(replace(status, mask=MaskStatus("ready")), 1.0)
    assert not card.mask_state.isVisibleTo(card)


def test_everything_in_the_row_has_a_name(still):
    edits, masks = still.workspace.edits, still.workspace.get(Masks)
    stage = edits.add_filter("invert")
    section = section_of(still, stage)
    for kind in ("ellipse", "person", "brush", "stage", "zone", "detections", "track"):
        masks.add(stage, kind)
    for row in section.parts:
        row.set_expanded(True)
    still.wait(lambda: section.parts[-1].isVisible())
    stops = list(tab_stops(section))
    assert len(stops) > 40
    named = {stop: QAccessible.queryAccessibleInterface(stop).text(QAccessible.Text.Name) for stop in stops}
    assert [stop for stop, name in named.items() if not name] == []


# -- in the video --------------------------------------------------------------------------------------------


def at(ui, x: float, y: float) -> QPoint:
    """Where a share of the picture is on the viewport."""
    return ui.window.viewport.point_of((x, y)).toPoint()


def drag(ui, *ways: tuple[float, float], button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    view = ui.window.viewport
    QTest.mousePress(view, button, pos=at(ui, *ways[0]))
    for way in ways[1:]:
        QTest.mouseMove(view, at(ui, *way))
    QTest.mouseRelease(view, button, pos=at(ui, *ways[-1]))


def click(ui, x: float, y: float, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    QTest.mouseClick(ui.window.viewport, button, pos=at(ui, x, y))


def drawn_part(ui, title: str, kind: str) -> tuple[int, MixingSection]:
    """Add an effect with a part of a mask, which is drawn."""
    stage = ui.workspace.edits.add_filter("invert")
    section = section_of(ui, stage)
    row = add_part(section, title)
    assert row.draw.isChecked() and ui.workspace.get(Masks).is_selected(row.place, "draw")
    assert mask_of(ui, stage).parts[0].kind == kind
    return stage, section


def values_of(ui, stage: int) -> dict[str, object]:
    return dict(mask_of(ui, stage).parts[0].values)


def test_an_ellipse_is_moved_resized_and_turned_by_drags(still):
    stage, section = drawn_part(still, "Ellipse", "ellipse")
    edits = still.workspace.edits
    assert len(still.window.overlay.state().handles.handles) == 6
    drag(still, (0.45, 0.4), (0.4, 0.35), (0.35, 0.3))  # within it
    assert values_of(still, stage)["center"] == pytest.approx((0.4, 0.4), abs=0.02)
    assert section.parts[0].rows.editors["center"].text.text().startswith("4")
    drag(still, (0.65, 0.4), (0.7, 0.4), (0.85, 0.4))  # its right end; the left one stays
    found = values_of(still, stage)
    assert found["width"] == pytest.approx(70, abs=3) and found["height"] == 50.0
    assert found["center"] == pytest.approx((0.5, 0.4), abs=0.02)
    turn = still.workspace.get(Masks).handles[-1]
    drag(still, turn, (0.7, 0.2), (0.9, 0.4))
    assert values_of(still, stage)["angle"] == pytest.approx(90, abs=3)
    for expected in (0.0, 0.0, 0.0):
        edits.undo()
        assert values_of(still, stage)["angle"] == expected
    assert values_of(still, stage) == still.workspace.library.mask("ellipse").defaults
    assert edits.undo_label == "Add Ellipse to the mask", "a drag is one step"


def test_keys_move_a_handle_and_escape_ends(still):
    stage, section = drawn_part(still, "Rectangle", "rectangle")
    masks = still.workspace.get(Masks)
    section.parts[0].draw.click()
    assert masks.selected is None and not still.window.overlay.state().handles.handles
    still.activate()
    section.parts[0].draw.click()
    still.wait(still.window.viewport.hasFocus)
    still.press(Qt.Key.Key_PageDown)  # the center
    still.press(Qt.Key.Key_Right)
    still.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert values_of(still, stage)["center"] == pytest.approx((0.51, 0.501))
    still.press(Qt.Key.Key_Escape)
    assert masks.selected is None and not section.parts[0].draw.isChecked()
    assert section.parts[0].is_expanded


def test_a_gradient_has_two_ends(still):
    stage, _ = drawn_part(still, "Gradient", "gradient")
    drag(still, (0.5, 0.75), (0.6, 0.8), (0.9, 0.5))
    found = values_of(still, stage)
    assert found["start"] == (0.5, 0.25) and found["end"] == pytest.approx((0.9, 0.5), abs=0.02)


def corners(ui, stage: int) -> list[tuple[float, float]]:
    (line,) = lines_of(str(values_of(ui, stage)["points"])) or ((),)
    return [(round(x, 1), round(y, 1)) for x, y in line]


def test_a_polygon_is_drawn_by_clicks(still):
    stage, section = drawn_part(still, "Polygon", "polygon")
    edits, row = still.workspace.edits, section.parts[0]
    editor = row.rows.editors["points"]
    assert editor.count.text() == "4 points"
    click(still, 0.5, 0.1)  # beside an edge, which it divides
    assert editor.count.text() == "5 points" and (0.5, 0.1) in corners(still, stage)
    drag(still, (0.5, 0.1), (0.5, 0.2), (0.6, 0.1))
    assert (0.6, 0.1) in corners(still, stage)
    still.press(Qt.Key.Key_Delete)
    assert editor.count.text() == "4 points"
    QTest.mouseDClick(still.window.viewport, Qt.MouseButton.LeftButton, pos=at(still, 0.25, 0.75))
    assert len(corners(still, stage)) == 3
    edits.undo()
    assert len(corners(still, stage)) == 4
    editor.clear.click()
    assert corners(still, stage) == [] and not editor.clear.isEnabled()
    wanted = [(0.2, 0.2), (0.8, 0.2), (0.5, 0.8), (0.3, 0.7)]
    for corner in wanted:
        click(still, *corner)
    assert corners(still, stage) == wanted
    still.press(Qt.Key.Key_Return)
    edits.undo()
    assert corners(still, stage) == wanted[:-1]


def test_a_polygon_is_edited_by_keys(still):
    stage, _ = drawn_part(still, "Polygon", "polygon")
    still.press(Qt.Key.Key_PageDown)
    still.press(Qt.Key.Key_Insert)  # halfway along the upper edge
    still.press(Qt.Key.Key_Up)
    (line,) = lines_of(str(values_of(still, stage)["points"]))
    assert len(line) == 5 and line[1] == pytest.approx((0.5, 0.24))
    still.press(Qt.Key.Key_PageUp)
    still.press(Qt.Key.Key_Delete)
    (line,) = lines_of(str(values_of(still, stage)["points"]))
    assert len(line) == 4 and line[0] == pytest.approx((0.5, 0.24))


def test_a_brush_paints_strokes_and_takes_them_back(still):
    stage, section = drawn_part(still, "Brush", "brush")
    edits, editor = still.workspace.edits, section.parts[0].rows.editors["strokes"]
    drag(still, (0.2, 0.2), (0.3, 0.3), (0.4, 0.2))
    drag(still, (0.6, 0.6), (0.7, 0.7))
    strokes = lines_of(str(values_of(still, stage)["strokes"]))
    assert [len(stroke) for stroke in strokes] == [3, 2] and editor.count.text() == "2 strokes"
    assert len(still.window.overlay.state().handles.strokes) == 2
    edits.undo()
    assert lines_of(str(values_of(still, stage)["strokes"])) == strokes[:1], "a stroke is one step"
    edits.redo()
    click(still, 0.5, 0.5, Qt.MouseButton.RightButton)
    assert lines_of(str(values_of(still, stage)["strokes"])) == strokes[:1]
    still.press(Qt.Key.Key_Backspace)
    assert values_of(still, stage)["strokes"] == ""


def test_what_is_drawn_is_what_is_masked(still):
    drawn_part(still, "Rectangle", "rectangle")
    still.wait(lambda: not still.workspace.engine.pipeline.chain.is_compiling)
    still.settle()
    image, source = still.picture()[..., :3].astype(int), squares().astype(int)
    inside = image[48, 64] - (255 - source[48, 64])
    outside = image[5, 5] - source[5, 5]
    assert abs(inside).max() <= 2 and abs(outside).max() <= 2


def test_drawing_ends_with_its_part_and_its_card(still):
    stage, section = drawn_part(still, "Ellipse", "ellipse")
    masks, edits = still.workspace.get(Masks), still.workspace.edits
    edits.undo()
    assert masks.selected is None
    edits.redo()
    section.parts[0].expander.click()
    assert masks.selected is not None
    chain_of(still.window).expand(stage)
    assert masks.selected is None


def test_the_mask_itself_can_be_shown(still):
    stage, section = drawn_part(still, "Rectangle", "rectangle")
    engine, edits = still.workspace.engine, still.workspace.edits
    section.coverage.click()
    assert engine.current.is_trying and edits.chain.stages[-1].filter == "invert"
    section.parts[0].rows.editors["width"].spin.setValue(20.0)
    assert engine.current.is_trying, "an edit leaves it shown"
    still.window.refresh()
    assert section.coverage.isChecked()
    section.fold.click()
    assert not engine.current.is_trying
    section.fold.click()
    section.coverage.click()
    edits.undo()
    edits.undo()
    assert not engine.current.is_trying and edits.chain.find(stage).mask is None


def test_what_masks_hide_stays_hidden_while_a_mask_is_shown(still):
    engine, edits = still.workspace.engine, still.workspace.edits
    shape = part(still, "ellipse", width=20.0)
    first, second = edits.add_filter("invert"), edits.add_filter("sepia")
    third = edits.add_filter("pixelate")
    edits.set_mask(first, MaskSpec((shape,)))
    edits.set_mask(second, MaskSpec((shape,), if_missing="black"))
    edits.set_mask(third, MaskSpec((shape,), if_missing="everywhere"))
    masks = still.workspace.get(Masks)

    def off() -> list[bool]:
        # The color is behind the stage whose mask is shown.
        return [each.state == "off" for each in engine.pipeline.chain.statuses]

    masks.show_coverage(first)
    assert off() == [True, False, False, False]
    masks.show_coverage(second)
    assert off() == [False, False, False, False]
    masks.show_coverage(None)
    assert off() == [False, False, False]


# -- objects -------------------------------------------------------------------------------------------------


@pytest.fixture
def detecting(still, tmp_path):
    """The window with two squares and a detector that finds them."""
    still.drop(square_detector(tmp_path / "squares.onnx"))
    still.wait(lambda: len(still.window.overlay.state().found) == 2)
    still.window.refresh()
    return still


def boxes(ui) -> dict[int, tuple[float, float, float, float]]:
    """The tracked squares by their numbers, once they have some."""

    def found():
        tracked = ui.workspace.engine.current.tracked_result
        shapes = tracked.shapes if tracked is not None else ()
        return {shape.identity: bounds(shape) for shape in shapes if shape.identity is not None}

    ui.wait(lambda: len(found()) == 2)
    return found()


def center(box: tuple[float, float, float, float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def test_an_object_to_follow_is_clicked(detecting):
    edits, masks = detecting.workspace.edits, detecting.workspace.get(Masks)
    stage = edits.add_filter("invert")
    row = add_part(section_of(detecting, stage), "Tracked object")
    assert row.objects.text.text() == "Objects are not tracked" and not row.objects.choose.isEnabled()
    row.objects.track.click()
    assert edits.setup.scene.track is not None and not row.objects.track.isVisibleTo(row)
    number = max(boxes(detecting))
    row.objects.choose.click()
    assert row.objects.text.text() == "Click an object in the video"

    def is_marked() -> bool:
        # Repeated: the display's own pointer may leave the video meanwhile.
        QTest.mouseMove(detecting.window.viewport, at(detecting, 0.01, 0.99))
        QTest.mouseMove(detecting.window.viewport, at(detecting, *center(boxes(detecting)[number])))
        handles = detecting.window.overlay.state().handles
        return len(handles.lines) == 2 and len(handles.strokes) == 1

    detecting.wait(is_marked)
    click(detecting, 0.01, 0.99)
    assert masks.selected is not None, "there is nothing"
    click(detecting, *center(boxes(detecting)[number]))
    assert mask_of(detecting, stage).parts[0].values["identity"] == number and masks.selected is None
    assert row.rows.editors["identity"].spin.value() == number
    edits.undo()
    assert mask_of(detecting, stage).parts[0].values["identity"] == 1


def test_a_shape_is_attached_to_an_object(detecting):
    edits = detecting.workspace.edits
    edits.set_track(TrackSpec())
    number, box = max(boxes(detecting).items())
    stage, section = drawn_part(detecting, "Ellipse", "ellipse")
    objects = section.parts[0].objects
    objects.choose.click()
    click(detecting, *center(box))
    attachment = mask_of(detecting, stage).parts[0].attachment
    assert attachment is not None and attachment.identity == number
    assert attachment.extents == pytest.approx(box, abs=0.01)
    assert objects.text.text() == f"Moves with object {number}"
    # It can still be drawn, where the object is.
    drag(detecting, (0.5, 0.5), (0.4, 0.4), (0.3, 0.4))
    assert values_of(detecting, stage)["center"] == pytest.approx((0.3, 0.4), abs=0.02)
    objects.detach.click()
    assert mask_of(detecting, stage).parts[0].attachment is None
    edits.undo()
    assert mask_of(detecting, stage).parts[0].attachment == attachment


def test_classes_are_completed_from_the_network(detecting):
    stage = detecting.workspace.edits.add_filter("invert")
    row = add_part(section_of(detecting, stage), "Detected objects")
    line = row.rows.editors["classes"].line
    labels = detecting.workspace.engine.current.network_status.features.labels
    completer = line.completer()
    assert completer is not None and completer.model().rowCount() == len(labels)
    line.setText(labels[0])
    line.editingFinished.emit()
    assert mask_of(detecting, stage).parts[0].values["classes"] == labels[0]


# -- room ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "zh_CN"])
def test_the_rows_of_every_kind_fit_the_narrowest_panel(ui, speak, language):
    speak(language)
    edits, panel = ui.workspace.edits, chain_of(ui.window)
    kinds = list(ui.workspace.library.masks)
    for first in range(0, len(kinds), MOST_PARTS):
        stage = edits.add_filter("invert")
        section = section_of(ui, stage)
        for kind in kinds[first : first + MOST_PARTS]:
            ui.workspace.get(Masks).add(stage, kind)
        # A panel is 300 wide at least, less margins, those of the card, and a scroll bar.
        room = panel.minimumWidth() - 2 * 8 - 10 - 2 * 6
        for row in section.parts:
            row.set_expanded(True)
            if row.rows is not None and row.kind.network is not None:
                row.rows.network_fold.click()
            hint = row.minimumSizeHint()
            assert hint.width() <= room, (row.part.kind, hint.width(), room)
        assert section.minimumSizeHint().width() <= room


def test_a_brush_that_can_have_no_more_points_says_so_once_a_stroke(still):
    stage, _ = drawn_part(still, "Brush", "brush")
    masks = still.workspace.get(Masks)
    points = tuple((n % 64 / 64, n // 64 / 64) for n in range(MOST_POINTS))
    masks.set_values(PartPlace(stage, 0), {"strokes": points_text((points,))})
    points = lines_of(values_of(still, stage)["strokes"])
    assert sum(map(len, points)) == MOST_POINTS
    full = "A brush has 4096 points at most; erase a stroke with Backspace or add another brush."
    posted = []
    still.workspace.messages.notice.connect(posted.append)
    for count in (1, 2):
        drag(still, (0.2, 0.2), (0.5, 0.5), (0.8, 0.2))
        assert [notice.text for notice in posted] == [full] * count
        assert lines_of(values_of(still, stage)["strokes"]) == points
    masks.erase_stroke()
    drag(still, (0.2, 0.2), (0.5, 0.5))
    assert len(lines_of(values_of(still, stage)["strokes"])) == 1
