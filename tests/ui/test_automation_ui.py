"""Automated parameters in the window: the menu of a row, its badge, the pop-up, key frames and controllers."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from window_panels import chain_of

from desktop.pipeline.automation.key_frames import MOST_KEY_FRAMES, KeyFrame
from desktop.pipeline.automation.spec import MOST_AUTOMATIONS, Automation
from desktop.ui.features.automation.automation_popup import AutomationPopup
from desktop.ui.features.automation.automations import Automations
from desktop.ui.features.masks.masks import Masks
from desktop.ui.kit.widgets import IconButton

NAME = "stops"


@pytest.fixture
def exposed(ui):
    """The window with a paused video and an effect whose card is open."""
    ui.play()
    ui.pause()
    ui.workspace.edits.add_filter("exposure")
    ui.settle()
    card_of(ui).set_expanded(True)
    ui.wait(lambda: row_of(ui).slider.width() > 40)
    yield ui
    ui.workspace.get(Automations).stop_recording()
    for popup in ui.window.findChildren(AutomationPopup):
        popup.close()


def card_of(ui):
    return chain_of(ui.window).cards[ui.workspace.edits.chain.stages[0].id]


def row_of(ui, name: str = NAME):
    return card_of(ui).editors[name]


def badges(ui, name: str = NAME) -> list[IconButton]:
    return [each for each in row_of(ui, name).findChildren(IconButton) if not each.isHidden()]


def automation(ui, name: str = NAME) -> Automation | None:
    return ui.workspace.edits.chain.stages[0].automation.get(name)


def key(ui, name: str = NAME):
    return ui.workspace.edits.chain.stages[0].id, name


def choose(ui, widget, text: str) -> None:
    """Choose an entry of the menu that a right click on a widget opens."""
    at = widget.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)
    ui.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    (action,) = (each for each in menu.actions() if each.text() == text)
    menu.setActiveAction(action)
    QTest.keyClick(menu, Qt.Key.Key_Return)


def popup_of(ui) -> AutomationPopup:
    ui.wait(lambda: any(each.isVisible() for each in ui.window.findChildren(AutomationPopup)))
    return next(each for each in ui.window.findChildren(AutomationPopup) if each.isVisible())


def automate(ui, source: str, **changed: object) -> AutomationPopup:
    """Automate the row by its menu, and follow a source."""
    choose(ui, row_of(ui).slider, "Automate...")
    popup = popup_of(ui)
    box = popup.sources
    box.setCurrentIndex(box.findData(source))
    box.activated.emit(box.currentIndex())
    return popup


def go(ui, seconds: float) -> None:
    ui.workspace.playback.seek(seconds)
    ui.wait(lambda: abs(ui.workspace.engine.current.shown_pts - seconds) < 0.04)
    ui.settle()


def test_a_row_is_automated_by_its_menu_and_the_picture_follows(exposed):
    go(exposed, 1.0)
    before = exposed.picture()
    choose(exposed, row_of(exposed).slider, "Automate...")
    popup = popup_of(exposed)
    assert popup.sources.currentText() == "Oscillator" and popup.sources.hasFocus()
    found = automation(exposed)
    assert (found.source, found.enabled) == ("lfo", True) and found.low == 0.0 < found.high
    # Half of the period of two seconds: the greatest value.
    exposed.wait(lambda: exposed.picture()[..., :3].mean() > before[..., :3].mean() + 10)
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    exposed.wait(lambda: not exposed.window.findChildren(AutomationPopup))
    exposed.wait(lambda: row_of(exposed).spin.value() == pytest.approx(found.high, abs=0.06))
    assert not row_of(exposed).slider.isEnabled()
    (badge,) = badges(exposed)
    assert badge.accessibleName() == "Automated by: Oscillator" and badge.isChecked()

    QTest.mouseClick(badge, Qt.MouseButton.LeftButton)
    assert not automation(exposed).enabled and row_of(exposed).slider.isEnabled()
    exposed.wait(lambda: np.array_equal(exposed.picture(), before))
    assert row_of(exposed).spin.value() == 0.0
    QTest.mouseClick(badge, Qt.MouseButton.LeftButton)
    exposed.wait(lambda: exposed.picture()[..., :3].mean() > before[..., :3].mean() + 10)
    exposed.workspace.edits.undo()
    assert not automation(exposed).enabled
    exposed.workspace.edits.undo()
    exposed.workspace.edits.undo()
    assert automation(exposed) is None and not badges(exposed)


def test_rows_have_no_badge_until_they_are_automated(exposed):
    assert not badges(exposed)


def test_the_popup_changes_range_and_settings_and_removes(exposed):
    popup = automate(exposed, "lfo")
    popup.range.editors["high"].spin.setValue(3.0)
    popup.form.editors["period"].spin.setValue(4.0)
    assert automation(exposed).high == 3.0 and automation(exposed).values["period"] == 4.0
    popup.power.click()
    assert not automation(exposed).enabled
    popup.remove.click()
    assert automation(exposed) is None
    exposed.wait(lambda: not exposed.window.findChildren(AutomationPopup))


def test_only_fields_that_act_are_shown(exposed):
    popup = automate(exposed, "detections")
    rows = popup.form.editors
    assert rows["most"].isVisible() and not rows["event"].isVisible()
    box = rows["measure"].box
    box.setCurrentIndex(box.findData("event"))
    box.activated.emit(box.currentIndex())
    assert automation(exposed).values["measure"] == "event"
    assert rows["event"].isVisible() and not rows["most"].isVisible()


def test_key_frames_are_added_dragged_and_deleted(exposed):
    popup = automate(exposed, "key_frames")
    shown = popup.key_frames.plot
    assert automation(exposed).values["frames"].endswith("=0")
    view = shown.plot

    def at(time: float, value: float) -> QPoint:
        return QPointF(*shown.plot.point(time, value)).toPoint()

    middle = view.seconds / 2
    QTest.mouseDClick(shown, Qt.MouseButton.LeftButton, pos=at(middle, 2.0))
    frames = Automations.key_frames(automation(exposed))
    assert len(frames) == 2 and frames[1].value == pytest.approx(2.0, abs=0.1)
    assert popup.key_frames.value.spin.value() == pytest.approx(2.0, abs=0.1)
    steps = exposed.workspace.edits.undo_label

    QTest.mousePress(shown, Qt.MouseButton.LeftButton, pos=at(frames[1].time, frames[1].value))
    for value in (1.0, 0.0, -1.0):
        QTest.mouseMove(shown, at(middle, value))
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=at(middle, -1.0))
    assert Automations.key_frames(automation(exposed))[1].value == pytest.approx(-1.0, abs=0.1)
    assert exposed.workspace.edits.undo_label == steps
    exposed.workspace.edits.undo()  # the drag is one step
    assert Automations.key_frames(automation(exposed))[1].value == pytest.approx(2.0, abs=0.1)

    (ease,) = (each for each in shown.make_menu().actions() if "Hold" in each.text())
    ease.trigger()
    assert Automations.key_frames(automation(exposed))[1].ease == "hold"
    popup.key_frames.value.spin.setValue(1.5)
    assert Automations.key_frames(automation(exposed))[1].value == 1.5
    QTest.keyClick(shown, Qt.Key.Key_Delete)
    assert len(Automations.key_frames(automation(exposed))) == 1
    QTest.keyClick(shown, Qt.Key.Key_Left)
    assert shown.index == 0


def _turn(plot, time: float, notches: int, *, shift: bool = False) -> None:
    """Turn the wheel over a time of the plot."""
    at = QPointF(*plot.plot.point(time, 0.0))
    event = QWheelEvent(
        *(at, plot.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton),
        Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier,
        *(Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(plot, event)


def test_the_plot_of_key_frames_is_zoomed_and_scrolled(exposed):
    shown = automate(exposed, "key_frames").key_frames.plot
    length = shown.length
    assert shown.view == (0.0, length)
    _turn(shown, length / 2, 4)
    begin, seconds = shown.view
    assert seconds == pytest.approx(length / 1.25**4) and begin == pytest.approx((length - seconds) / 2)
    _turn(shown, length / 2, -2, shift=True)
    assert shown.view[0] > begin and shown.view[1] == seconds
    # A point is added where it is clicked, and an arrow key shows the one that it chooses.
    time = shown.view[0] + seconds / 3
    QTest.mouseDClick(shown, Qt.MouseButton.LeftButton, pos=QPointF(*shown.plot.point(time, 1.0)).toPoint())
    assert shown.frames[shown.index].time == pytest.approx(time, abs=seconds / 100)
    QTest.keyClick(shown, Qt.Key.Key_Left)
    assert shown.index == 0 and shown.view[0] == 0.0
    QTest.keyClick(shown, Qt.Key.Key_Plus)
    assert shown.view[1] < seconds and "shown:" in shown.accessibleDescription()
    (everything,) = (each for each in shown.make_menu().actions() if "Show all" in each.text())
    everything.trigger()
    assert shown.view == (0.0, length) and "shown:" not in shown.accessibleDescription()
    QTest.keyClick(shown, Qt.Key.Key_Minus)
    assert shown.view == (0.0, length)


def test_a_paused_video_gets_a_key_frame_where_its_slider_is_moved(exposed):
    go(exposed, 1.0)
    automate(exposed, "key_frames").close()
    go(exposed, 2.0)
    before = exposed.picture()
    row_of(exposed).spin.setValue(2.0)
    frames = Automations.key_frames(automation(exposed))
    assert [each.time for each in frames] == pytest.approx([1.0, 2.0], abs=0.04) and frames[1].value == 2.0
    exposed.wait(lambda: exposed.picture()[..., :3].mean() > before[..., :3].mean() + 10)
    assert exposed.workspace.edits.chain.stages[0].values[NAME] == 0.0


def test_a_key_frame_too_many_is_refused(exposed):
    go(exposed, 1.0)
    automate(exposed, "key_frames").close()
    automations = exposed.workspace.get(Automations)
    key = (exposed.workspace.edits.chain.stages[0].id, NAME)
    full = tuple(KeyFrame(10.0 + n, 0.0) for n in range(MOST_KEY_FRAMES))
    automations.set_frames(key, full)
    row_of(exposed).spin.setValue(2.0)
    assert Automations.key_frames(automation(exposed)) == full
    assert any("at most 4096 key frames" in text for text in exposed.notices)


def test_moving_the_slider_while_the_video_plays_records(exposed):
    popup = automate(exposed, "key_frames")
    popup.record.click()
    automations = exposed.workspace.get(Automations)
    assert automations.recording == key(exposed)
    (badge,) = badges(exposed)
    assert badge.accessibleName() == "Stop recording"
    label = exposed.workspace.edits.undo_label
    exposed.workspace.playback.toggle()
    exposed.wait(lambda: exposed.workspace.playback.source.state == "playing")
    slider = row_of(exposed).slider
    begin = automations.position
    slider.setSliderDown(True)
    for step in range(1, 11):
        slider.setValue(100 + 8 * step)
        QTest.qWait(60)
    slider.setSliderDown(False)
    exposed.pause()
    assert exposed.workspace.edits.undo_label == label  # one step, at the end
    badge.click()
    assert automations.recording is None
    frames = Automations.key_frames(automation(exposed))
    end = automations.position
    new = [each for each in frames if begin <= each.time <= end + 0.1]
    assert 2 <= len(new) < 40 and new[-1].value == pytest.approx(4.0)
    assert new[-1].value > new[0].value
    exposed.workspace.edits.undo()
    assert len(Automations.key_frames(automation(exposed))) == 1


def test_a_value_that_is_held_is_recorded_until_it_is_let_go(exposed):
    automate(exposed, "key_frames").record.click()
    automations, slider = exposed.workspace.get(Automations), row_of(exposed).slider
    exposed.workspace.playback.toggle()
    exposed.wait(lambda: exposed.workspace.playback.source.state == "playing")
    slider.setSliderDown(True)
    slider.setValue(160)
    begin = automations.position
    exposed.wait(lambda: automations.position > begin + 0.5)
    slider.setSliderDown(False)
    automations.stop_recording()
    held = [each for each in Automations.key_frames(automation(exposed)) if each.value == 3.0]
    assert len(held) == 2 and held[1].time - held[0].time == pytest.approx(0.5, abs=0.4)


def test_a_recording_without_room_for_key_frames_is_reported_and_changes_nothing(exposed):
    popup = automate(exposed, "key_frames")
    automations, slider = exposed.workspace.get(Automations), row_of(exposed).slider
    full = tuple(KeyFrame(1000.0 + n, 0.0) for n in range(MOST_KEY_FRAMES))
    automations.set_frames(key(exposed), full)
    label, setup = exposed.workspace.edits.undo_label, exposed.workspace.edits.setup
    popup.record.click()
    exposed.workspace.playback.toggle()
    exposed.wait(lambda: exposed.workspace.playback.source.state == "playing")
    slider.setSliderDown(True)
    slider.setValue(160)
    begin = automations.position
    exposed.wait(lambda: automations.position > begin + 0.2)
    slider.setSliderDown(False)
    automations.stop_recording()
    assert Automations.key_frames(automation(exposed)) == full
    assert exposed.workspace.edits.undo_label == label
    assert exposed.workspace.engine.current.setup == setup
    assert any(text.startswith("Nothing was recorded") for text in exposed.notices)
    assert not any("less closely" in text for text in exposed.notices)


def test_cuts_that_find_no_room_for_a_key_frame_are_reported(exposed):
    popup = automate(exposed, "key_frames")
    before = len(Automations.key_frames(automation(exposed)))
    plot = popup.key_frames.plot
    plot.show_cuts(tuple(100.0 + n for n in range(MOST_KEY_FRAMES + 5 - before)))
    plot.add_at_cuts()
    assert len(Automations.key_frames(automation(exposed))) == MOST_KEY_FRAMES
    assert any(text.startswith("5 scene cuts have no key frame, as ") for text in exposed.notices)
    assert any("can have 4096 at most" in text for text in exposed.notices)


def test_a_controller_that_moves_is_learned(exposed):
    popup = automate(exposed, "midi")
    assert popup.learn.isVisible()
    popup.learn.click()
    assert "name a device or port in the preferences" in popup.message.text(), "MIDI is off"
    controls = exposed.workspace.engine.current.pipeline.controls
    controls.put("osc/fader", 0.5)
    controls.put("midi/3/control/21", 1.0)
    exposed.wait(lambda: automation(exposed).values["channel"] == 3)
    assert automation(exposed).values == {"kind": "control", "channel": 3, "number": 21}
    assert not popup.learn.isChecked()
    controls.put("midi/4/control/9", 1.0)
    exposed.settle()
    assert automation(exposed).values["channel"] == 3
    exposed.wait(lambda: row_of(exposed).spin.value() == pytest.approx(automation(exposed).high, abs=0.06))


def test_copies_keep_automations(exposed):
    automate(exposed, "lfo").close()
    exposed.workspace.edits.duplicate_stage(key(exposed)[0])
    first, second = exposed.workspace.edits.chain.stages
    assert first.automation == second.automation != {}


def test_the_numbers_of_a_point_are_automated_each_alone(ui):
    ui.play()
    ui.pause()
    ui.workspace.edits.add_filter("swirl")
    card_of(ui).set_expanded(True)
    stage, automations = ui.workspace.edits.chain.stages[0].id, ui.workspace.get(Automations)
    automations.begin((stage, "center.x"))
    (badge,) = badges(ui, "center")
    assert badge.accessibleName() == "Center, across. Automated by: Oscillator"
    automations.change((stage, "center.x"), Automation("key_frames", {"frames": "0=0.1 0.5=0.1"}))
    ui.wait(lambda: row_of(ui, "center").text.text() == "10 %, 50 %")
    row_of(ui, "center").edited.emit((0.8, 0.3))
    assert ui.workspace.edits.chain.stages[0].values["center"] == (0.5, 0.3)
    ui.wait(lambda: row_of(ui, "center").text.text().endswith(", 30 %"))


def test_opacity_and_the_numbers_of_a_mask_are_automated(exposed):
    section = card_of(exposed).section
    section.fold.setChecked(True)
    exposed.wait(lambda: section.editors["opacity"].slider.isVisible())
    choose(exposed, section.editors["opacity"].slider, "Automate...")
    popup_of(exposed).close()
    assert automation(exposed, "opacity").source == "lfo"
    stage, automations = key(exposed)[0], exposed.workspace.get(Automations)
    automations.change((stage, "opacity"), Automation("key_frames", {"frames": "0=0.25"}))
    assert section.editors["opacity"].spin.value() == 25.0
    section.editors["opacity"].spin.setValue(75.0)
    assert exposed.workspace.edits.chain.stages[0].opacity == 1.0
    assert Automations.key_frames(automation(exposed, "opacity"))[-1].value == 0.75

    exposed.workspace.get(Masks).add(stage, "ellipse")
    exposed.wait(lambda: section.parts)
    section.parts[0].set_expanded(True)
    rows = section.parts[0].rows
    automations.begin((stage, "mask.feather"))
    automations.change((stage, "mask.1.width"), Automation("key_frames", {"frames": "0=0.4"}))
    assert len(section.editors["feather"].findChildren(IconButton)) == 1
    assert len(rows.editors["width"].findChildren(IconButton)) == 1
    assert rows.editors["width"].spin.value() == 0.4
    rows.editors["width"].spin.setValue(0.6)
    assert Automations.key_frames(automation(exposed, "mask.1.width"))[-1].value == 0.6


def test_a_chain_has_a_limit_of_automations(exposed):
    edits, automations = exposed.workspace.edits, exposed.workspace.get(Automations)
    most = {f"mask.{n}.width": Automation("lfo") for n in range(MOST_AUTOMATIONS)}
    edits.edit_chain(edits.chain.with_mixing(key(exposed)[0], automation=most), "many")
    automations.begin(key(exposed))
    assert automation(exposed) is None
    assert any("at most 64 automations" in text for text in exposed.notices)
