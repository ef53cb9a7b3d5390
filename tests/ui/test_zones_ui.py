"""Zones are drawn on the picture with the mouse, changed by mouse and keys; what is done about their events
is the user's will.
"""

from __future__ import annotations

from dataclasses import replace

import av
import cv2
import pytest
from event_rig import happen
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPainterPath
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel
from tiny_models import red_or_blue_model, square_detector, squares
from window_panels import choose_in_menu

from desktop.outputs.events import event_actions
from desktop.overlay.layout import ClassGround, Fonts, OverlayState, Words, lay_out
from desktop.overlay.zones import drawn_zones
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.ui.features.zones.event_card import EventCard
from desktop.ui.features.zones.zones import Zones
from desktop.ui.features.zones.zones_panel import ZonesPanel
from desktop.ui.forms.field_form import FieldForm
from desktop.ui.kit.language import translated
from desktop.ui.workspace.information_popup import InformationPopup
from desktop.vision.tracking.counts import LineCounts
from desktop.vision.tracking.events import MOST_EVENTS, ActionSpec, EventSpec, Occurrence
from desktop.vision.tracking.zones import MOST_CORNERS, LineSpec, ZoneSpec


@pytest.fixture
def playing(ui, tmp_path):
    """The window with the two squares."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.settle()
    yield ui
    ui.workspace.get(Zones).cancel()


@pytest.fixture
def zones(playing):
    return playing.workspace.get(Zones)


@pytest.fixture
def panel(playing):
    panel = playing.window.dock_area.panel("zones", ZonesPanel)
    playing.window.dock_area.show("zones")
    return panel


def event_card(ui, panel) -> EventCard:
    """The card of the selected zone's only event, once it is there."""

    def cards() -> list[EventCard]:
        return [each for each in panel.details.findChildren(EventCard) if each.isVisibleTo(panel.details)]

    ui.wait(lambda: len(cards()) == 1)
    return cards()[0]


def visible_texts(card: EventCard) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel) if label.isVisibleTo(card)]


def add_action(card: EventCard, kind: str) -> None:
    """Choose an action in the card's menu."""
    title = translated(event_actions()[kind].title)
    next(entry for entry in card.add.menu().actions() if entry.text() == title).trigger()


def at(ui, x: float, y: float) -> QPoint:
    """Where a share of the picture is on the viewport, reckoned from the canvas's size: the picture fits and
    is centered.
    """
    view = ui.window.viewport
    zoom = min(view.width() / 128, view.height() / 96)
    return QPoint(
        round(view.width() / 2 + (x - 0.5) * 128 * zoom), round(view.height() / 2 + (y - 0.5) * 96 * zoom)
    )


def click(ui, x: float, y: float) -> None:
    QTest.mouseClick(ui.window.viewport, Qt.MouseButton.LeftButton, pos=at(ui, x, y))


def near(points, expected) -> None:
    assert [(round(x, 1), round(y, 1)) for x, y in points] == expected


CORNERS = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8)]


def draw_zone(ui) -> None:
    ui.press(Qt.Key.Key_Z)
    for corner in CORNERS:
        click(ui, *corner)
    QTest.keyClick(ui.window.viewport, Qt.Key.Key_Return)


def test_a_zone_is_drawn_with_clicks_and_taken_back(playing, zones):
    draw_zone(playing)
    (zone,) = zones.scene.zones
    assert isinstance(zone, ZoneSpec) and zone.name == zones.selected and zones.draft is None
    near(zone.points, CORNERS)
    assert zones.scene.track is not None  # a zone that nobody follows things for knows no crossings
    assert any("Tracking is turned on" in text for text in playing.notices)
    playing.workspace.edits.undo()
    assert zones.scene.zones == () and zones.scene.track is None and zones.selected == ""
    playing.workspace.edits.redo()
    assert zones.scene.zones == (zone,)


def test_a_double_click_closes_it(playing, zones):
    playing.press(Qt.Key.Key_Z)
    click(playing, *CORNERS[0])
    click(playing, *CORNERS[1])
    click(playing, *CORNERS[2])
    QTest.mouseDClick(playing.window.viewport, Qt.MouseButton.LeftButton, pos=at(playing, *CORNERS[2]))
    near(zones.scene.zones[0].points, CORNERS)
    assert playing.window.viewport.view.mode == "fit"  # it did not zoom


def test_a_line_needs_two_clicks_and_knows_its_way(playing, zones, panel):
    playing.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ShiftModifier)
    click(playing, 0.2, 0.5)
    click(playing, 0.8, 0.5)
    (line,) = zones.scene.zones
    assert isinstance(line, LineSpec) and zones.draft is None
    near(line.points, [(0.2, 0.5), (0.8, 0.5)])
    arrow = playing.window.overlay.state().zones[0].arrow
    assert arrow is not None and arrow[1][1] > arrow[0][1]  # forward is down
    panel.details.flip.click()
    near(zones.scene.zones[0].points, [(0.8, 0.5), (0.2, 0.5)])
    arrow = playing.window.overlay.state().zones[0].arrow
    assert arrow is not None and arrow[1][1] < arrow[0][1]


def test_a_line_is_drawn_by_a_drag_too(playing, zones):
    playing.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ShiftModifier)
    view, button = playing.window.viewport, Qt.MouseButton.LeftButton
    QTest.mousePress(view, button, pos=at(playing, 0.2, 0.4))
    QTest.mouseMove(view, at(playing, 0.5, 0.6))
    QTest.mouseRelease(view, button, pos=at(playing, 0.8, 0.6))
    (line,) = zones.scene.zones
    assert isinstance(line, LineSpec) and zones.draft is None
    near(line.points, [(0.2, 0.4), (0.8, 0.6)])


@pytest.mark.parametrize(
    "ends", [((0.5, 0.1), (0.5, 0.9)), ((0.1, 0.5), (0.9, 0.5)), ((0.9, 0.9), (0.1, 0.1))]
)
def test_a_line_however_it_lies_has_its_name_beside_it(qapp, ends):
    line = LineSpec("Door", ends)
    drawn = drawn_zones([line], [LineCounts("Door", 3, 1)], lambda x, y: (x * 800, y * 600), 4 / 3)
    marks = lay_out(OverlayState(zones=drawn), Fonts(800, 600), 800, 600, 1.0)
    (ground,) = (mark.rect for mark in marks if isinstance(mark, ClassGround))
    assert [mark.text for mark in marks if isinstance(mark, Words)] == ["Door  +3 −1"]
    (x0, y0), (x1, y1) = drawn[0].points
    path = QPainterPath(QPointF(x0, y0))
    path.lineTo(x1, y1)
    assert not path.intersects(ground)  # it does not cover what it names


def test_in_a_mirrored_preview_a_zone_lies_where_it_was_clicked(playing, zones):
    playing.window.viewport.set_mirrored(True)
    draw_zone(playing)
    near(zones.scene.zones[0].points, [(round(1 - x, 1), y) for x, y in CORNERS])
    drawn = playing.window.overlay.state().zones[0]
    scale = playing.window.viewport.devicePixelRatioF()
    for (x, y), corner in zip(drawn.points, CORNERS, strict=True):
        point = QPointF(at(playing, *corner))
        assert abs(x / scale - point.x()) < 2 and abs(y / scale - point.y()) < 2
    playing.window.viewport.set_mirrored(False)


def test_escape_and_backspace_while_drawing(playing, zones):
    playing.press(Qt.Key.Key_Z)
    click(playing, *CORNERS[0])
    click(playing, *CORNERS[1])
    QTest.keyClick(playing.window.viewport, Qt.Key.Key_Backspace)
    assert len(zones.draft.points) == 1
    QTest.keyClick(playing.window.viewport, Qt.Key.Key_Return)  # too few
    assert zones.draft is not None and zones.scene.zones == ()
    QTest.keyClick(playing.window.viewport, Qt.Key.Key_Escape)
    assert zones.draft is None and zones.scene.zones == ()


def test_a_corner_is_dragged_in_one_step_of_undo(playing, zones):
    draw_zone(playing)
    view = playing.window.viewport
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(playing, 0.2, 0.2))
    for x in (0.25, 0.35, 0.4):
        QTest.mouseMove(view, at(playing, x, 0.3))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(playing, 0.4, 0.3))
    playing.wait(lambda: round(zones.scene.zones[0].points[0][0], 1) == 0.4)
    near(zones.scene.zones[0].points, [(0.4, 0.3), *CORNERS[1:]])
    assert view.view.mode == "fit"  # the picture was not moved
    playing.workspace.edits.undo()
    near(zones.scene.zones[0].points, CORNERS)


def test_a_click_on_its_outline_chooses_a_zone(playing, zones):
    draw_zone(playing)
    zones.add_usual("line")
    name = zones.scene.zones[0].name
    zones.select("")
    click(playing, 0.7, 0.3)  # inside
    assert zones.selected == ""
    click(playing, 0.8, 0.4)
    assert zones.selected == name and len(zones.scene.zones) == 2
    near(zones.scene.zones[0].points, CORNERS)


def test_the_wheel_over_the_form_changes_nothing(playing, zones, panel):
    zones.add_usual("polygon")
    zones.add_event(zones.selected)
    inputs = [*panel.findChildren(QComboBox), *panel.findChildren(QAbstractSpinBox)]
    assert len(inputs) > 5
    # With Qt's WheelFocus the first step of the wheel gives the focus, and the next ones change the value.
    assert [each.accessibleName() for each in inputs if each.focusPolicy() == Qt.FocusPolicy.WheelFocus] == []


def test_a_network_that_finds_nothing_is_told_of(playing, zones, panel, tmp_path):
    zones.add_usual("polygon")
    playing.drop(square_detector(tmp_path / "squares.onnx"))
    playing.wait(lambda: panel.hint.text() == "" and playing.workspace.engine.current.network_status.features)
    zones.change(zones.selected, replace(zones.find(zones.selected), classes=("Red",)), "x")
    playing.wait(lambda: "names the class 'Red', which the network does not have" in panel.hint.text())
    assert panel.hint.text().endswith("did you mean 'red'?")
    playing.drop(red_or_blue_model(tmp_path / "colors.onnx"))
    playing.wait(lambda: "no network that detects objects" in panel.hint.text())


def test_a_list_of_zones_leaves_its_room_to_the_form(playing, zones, panel):
    zones.add_usual("polygon")
    row = panel.tree.sizeHintForRow(0)
    assert row < panel.tree.maximumHeight() < 2 * row
    for _ in range(4):
        zones.add_usual("line")
    assert 5 * row < panel.tree.maximumHeight() < 6 * row


def test_keys_alone_add_move_and_remove(playing, zones, panel):
    zones.add_usual("polygon")
    (x, y), *_ = zones.scene.zones[0].points
    playing.press(Qt.Key.Key_Right)
    playing.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert zones.scene.zones[0].points[0] == pytest.approx((x + 0.01, y + 0.001))
    playing.press(Qt.Key.Key_PageDown)
    playing.press(Qt.Key.Key_Up)
    assert zones.corner == 1 and zones.scene.zones[0].points[1][1] == pytest.approx(y - 0.01)
    panel.details.across.setValue(90)
    assert zones.scene.zones[0].points[1][0] == pytest.approx(0.9)
    playing.press(Qt.Key.Key_Delete)
    assert zones.scene.zones == () and zones.selected == ""


def test_without_a_selected_zone_keys_are_the_windows(playing, zones):
    zones.add_usual("line")
    playing.press(Qt.Key.Key_Escape)
    before = zones.scene
    playing.press(Qt.Key.Key_Right)
    playing.press(Qt.Key.Key_Delete)
    assert zones.scene == before and zones.selected == ""


def test_the_panel_names_counts_and_resets(playing, zones, panel, tmp_path):
    zones.add_usual("polygon")
    name = zones.selected
    zones.change(name, ZoneSpec("Field", ((0.3, 0.3), (1.0, 0.3), (1.0, 1.0), (0.3, 1.0))), "x")
    playing.drop(square_detector(tmp_path / "squares.onnx"))
    playing.wait(lambda: zones.counts and zones.counts[0].inside == 2)
    panel.refresh()
    assert panel.tree.topLevelItem(0).text(1).startswith("2")
    assert "red: 1 inside" in panel.details.figures.text()
    figures = playing.window.overlay.state().zones[0].figures
    assert figures.startswith("2")
    # A new round of a loop: no result yet, and the counts go on.
    playing.workspace.engine.current.cut()
    assert playing.workspace.engine.current.tracked_result is None
    panel.refresh()
    assert panel.tree.topLevelItem(0).text(1).startswith("2")
    assert playing.window.overlay.state().zones[0].figures.startswith("2")
    panel.details.name.setText("Yard")
    panel.details.name.editingFinished.emit()
    assert [zone.name for zone in zones.scene.zones] == ["Yard"] and zones.selected == "Yard"
    zones.reset_counts()


def test_an_event_is_made_in_the_panel_and_writes_its_line(playing, zones, panel, tmp_path):
    playing.drop(square_detector(tmp_path / "squares.onnx"))
    playing.wait(lambda: playing.workspace.engine.current.result is not None)
    zones.add_usual("polygon")
    panel.details.add_event.click()
    card = event_card(playing, panel)
    card.when.setCurrentIndex(card.when.findData("above"))
    card.when.activated.emit(card.when.currentIndex())
    card.above.setValue(1)
    add_action(card, "jsonl")
    path = tmp_path / "events.jsonl"
    form = card.findChild(FieldForm)
    playing.wait(lambda: any("before this is filled in" in text for text in visible_texts(card)))
    form.editors["path"].line.setText(str(path))
    form.editors["path"].line.editingFinished.emit()
    (event,) = zones.scene.events
    assert event.when == "above" and event.above == 1 and event.enabled
    assert event.actions == (ActionSpec("jsonl", {"path": str(path)}),)
    field = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    zones.change(zones.selected, zones.find(zones.selected).with_points(field), "x")
    playing.wait(path.exists)
    playing.wait(lambda: '"when": "above"' in path.read_text())


def test_a_clip_of_an_event_is_ordered_in_the_panel_and_written(playing, zones, panel, tmp_path):
    video = tmp_path / "squares.mp4"
    with av.open(str(video), "w") as container:
        stream = container.add_stream("libx264", rate=20, options={"crf": "12"})
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        for _ in range(200):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(squares(), format="rgb24")))
        container.mux(stream.encode(None))
    zones.add_usual("polygon")
    field = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    zones.change(zones.selected, zones.find(zones.selected).with_points(field), "x")
    panel.details.add_event.click()
    card = event_card(playing, panel)
    add_action(card, "clip")
    form = card.findChild(FieldForm)
    form.editors["folder"].line.setText(str(tmp_path / "clips"))
    form.editors["folder"].line.editingFinished.emit()
    form.editors["before"].spin.setValue(1.0)
    form.editors["after"].spin.setValue(0.5)
    (event,) = zones.scene.events
    values = {"folder": str(tmp_path / "clips"), "before": 1.0, "after": 0.5}
    assert event.actions == (ActionSpec("clip", values),)
    playing.drop(square_detector(tmp_path / "squares.onnx"))
    playing.play(str(video))
    playing.wait(lambda: list((tmp_path / "clips").glob("Event 1 Zone 1 *.mp4")))
    playing.wait(lambda: not list((tmp_path / "clips").glob("*.part.mp4")))
    clip = next((tmp_path / "clips").glob("Event 1 Zone 1 *.mp4"))
    with av.open(str(clip)) as container:
        times = [float(frame.pts * frame.time_base) for frame in container.decode(video=0)]
    assert times and times[-1] <= 1.55


def test_a_preset_of_somebody_else_does_nothing_before_the_user_says_so(playing, zones, panel, tmp_path):
    path, written = tmp_path / "strange.toml", tmp_path / "events.csv"
    field = ZoneSpec("Field", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    event = EventSpec("All", "Field", "above", above=0, actions=(ActionSpec("csv", {"path": str(written)}),))
    playing.drop(square_detector(tmp_path / "squares.onnx"))
    playing.wait(lambda: playing.workspace.engine.current.result is not None)
    setup = playing.workspace.edits.setup
    save_preset(
        replace(setup, scene=replace(setup.scene, zones=(field,), events=(event,))),
        playing.workspace.library,
        path,
    )
    playing.drop(path)
    playing.wait(lambda: zones.scene.zones == (field,))
    playing.wait(lambda: zones.counts)
    assert any("switched off" in text for text in playing.notices)
    QTest.qWait(300)
    assert not written.exists() and not zones.scene.events[0].enabled
    zones.select("Field")
    card = event_card(playing, panel)
    assert card.power.isEnabled() and not card.power.isChecked()
    card.power.click()
    assert zones.scene.events[0].enabled
    assert not load_preset(path, playing.workspace.library).setup.scene.events[0].enabled
    # Switched off by the user it no longer awaits consent, and a look that is saved says so.
    card.power.click()
    save_preset(playing.workspace.edits.setup, playing.workspace.library, path)
    (event,) = load_preset(path, playing.workspace.library).setup.scene.events
    assert not event.enabled and not event.permitted().enabled


def test_what_cannot_be_delivered_is_one_notice_and_goes_when_it_works(playing, zones, panel, tmp_path):
    zones.add_usual("polygon")
    edits, folder = playing.workspace.edits, tmp_path / "later"

    def happens(path) -> None:
        actions = (ActionSpec("jsonl", {"path": str(path)}),)
        scene = replace(edits.setup.scene, events=(EventSpec("In", zones.selected, actions=actions),))
        edits.edit(replace(edits.setup, scene=scene), "")
        happen(playing.workspace.engine, Occurrence("In", zones.selected, "enters", 0.0, "person", 1))

    def notices_with(words: str) -> list[str]:
        return [text for text in playing.notices if words in text]

    # A folder never becomes a file.
    happens(tmp_path)
    playing.wait(lambda: notices_with("1 event was not delivered"))
    happens(tmp_path)
    playing.wait(lambda: notices_with("2 events were not delivered"))
    assert len(notices_with("not delivered")) == 1
    happens(folder / "events.jsonl")
    playing.wait(lambda: notices_with("it is tried again"))
    folder.mkdir()
    playing.wait(lambda: not notices_with("it is tried again"))
    assert (folder / "events.jsonl").exists()


def test_the_heat_map_is_a_step_of_undo(playing, zones):
    zones.toggle_heat_map()
    assert zones.scene.heat_map
    playing.workspace.edits.undo()
    assert not zones.scene.heat_map


def test_an_event_s_card_has_the_head_of_all_cards(playing, zones, panel):
    zones.add_usual("polygon")
    zones.add_event(zones.selected)
    card = event_card(playing, panel)
    assert card.expanded and card.name.isVisibleTo(card)
    QTest.mouseClick(card.expander, Qt.MouseButton.LeftButton)
    assert not card.expanded and not card.when.isVisibleTo(card)
    assert not card.power.isEnabled(), "it has no action to switch off"
    choose_in_menu(card, "Information")
    (popup,) = playing.window.findChildren(InformationPopup)
    assert "An event happens when" in popup.text
    popup.close()
    choose_in_menu(card, "Remove")
    assert not zones.scene.events


def test_what_cannot_be_added_to_zones_is_said(playing, zones):
    zones.begin("polygon")
    for n in range(MOST_CORNERS):
        zones.add_point((n / MOST_CORNERS, 0.1 + 0.5 * (n / MOST_CORNERS) ** 2))
    assert "corners at most" not in playing.window.overlay.state().toast
    zones.add_point((0.1, 0.9))
    assert playing.window.overlay.state().toast == "A zone has 64 corners at most; Enter closes it."
    zones.finish()
    assert len(zones.scene.zones[0].points) == MOST_CORNERS
    # Of another zone: the cards of so many events take long.
    zones.add_usual("line")
    edits, line = playing.workspace.edits, zones.selected
    events = tuple(EventSpec(f"E{n}", zones.scene.zones[0].name) for n in range(MOST_EVENTS - 1))
    edits.edit(replace(edits.setup, scene=replace(zones.scene, events=events)), "events")
    zones.add_event(line)
    assert not any("events at most" in text for text in playing.notices)
    zones.add_event(line)
    assert len(zones.scene.events) == MOST_EVENTS
    assert f"There can be {MOST_EVENTS} events at most; remove one first." in playing.notices


def test_a_taken_name_of_an_event_is_refused_with_a_reason(playing, zones, panel):
    zones.add_usual("polygon")
    zones.add_event(zones.selected)
    zones.add_event(zones.selected)

    def cards() -> dict[str, EventCard]:
        found = panel.details.findChildren(EventCard)
        return {each.name.text(): each for each in found if each.isVisibleTo(panel.details)}

    playing.wait(lambda: set(cards()) == {"Event 1", "Event 2"})
    card = cards()["Event 1"]
    card.name.setText("Event 2")
    card.name.editingFinished.emit()
    assert playing.window.overlay.state().toast == "There is an event Event 2 already"
    assert [event.name for event in zones.scene.events] == ["Event 1", "Event 2"]
    assert card.name.text() == "Event 1"


def test_an_action_that_is_removed_comes_back_with_undo(playing, zones, panel, tmp_path):
    zones.add_usual("polygon")
    zones.add_event(zones.selected)
    card = event_card(playing, panel)
    add_action(card, "jsonl")
    spec = zones.scene.events[0].actions[0]
    card.change_action(0, replace(spec, values={**spec.values, "path": str(tmp_path / "log.jsonl")}))
    filled = zones.scene.events[0].actions
    card.remove_action(0)
    assert zones.scene.events[0].actions == ()
    playing.workspace.edits.undo()
    assert zones.scene.events[0].actions == filled
    playing.workspace.edits.undo()
    assert zones.scene.events[0].actions == (spec,)


def test_looking_at_the_classes_of_a_zone_changes_none(playing, zones, panel):
    """ImageNet has names with a comma."""
    zones.add_usual("polygon")
    zone = replace(zones.find(zones.selected), classes=("tench, Tinca tinca",))
    zones.change(zone.name, zone, "x")
    panel.details.classes.editingFinished.emit()
    assert zones.scene.zones[0].classes == ("tench, Tinca tinca",)
    panel.details.classes.setText("person, car")
    panel.details.classes.editingFinished.emit()
    assert zones.scene.zones[0].classes == ("person", "car")


def test_a_corner_moved_along_one_axis_stays_where_it_is_on_the_other(playing, zones, panel):
    zones.add_usual("polygon")
    zones.move_corner(zones.selected, 0, (0.31234, 0.41234))
    panel.details.across.setValue(20)
    assert zones.scene.zones[0].points[0] == (0.2, 0.41234)
