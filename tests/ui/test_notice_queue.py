"""Notices: one at a time in the lower right corner, the others queue behind it."""

from __future__ import annotations

import itertools

import material
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton, QToolButton

from desktop.ui.features.opening.opening import Opening
from desktop.ui.kit.messages import Notice, NoticeButton

LONG = "a sentence as long as one that says what has failed and what to do about it: " * 8


@pytest.fixture
def bar(ui):
    """The window's notices, away from the pointer and the focus, which would keep the one shown."""
    QCursor.setPos(ui.window.mapToGlobal(QPoint(1, 1)))
    ui.window.setFocus()
    QTest.qWait(50)
    return ui.window.notices


@pytest.fixture
def impatient(bar):
    """What informs goes after 0.2 s."""
    before, bar.read_ms = bar.read_ms, 200
    yield
    bar.read_ms = before


def row_of(bar):
    """The one notice that is visible."""
    (row,) = [row for row in bar.findChildren(QFrame, "notice") if row.isVisible()]
    return row


def button(bar, name):
    """A visible button, by its name for screen readers or its text."""
    row = row_of(bar)
    found = [*row.findChildren(QToolButton), *row.findChildren(QPushButton)]
    return next(b for b in found if b.isVisible() and name in (b.accessibleName(), b.text()))


def place(bar):
    """What is said of the notice's place among the others."""
    texts = [label.text() for label in row_of(bar).findChildren(QLabel) if label.isVisible()]
    return next((text for text in texts if " of " in text and len(text) < 10), "")


def test_a_notice_lies_in_the_lower_right_corner_and_moves_nothing(ui, bar, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    window = ui.window
    before = ui.still(lambda: (window.viewport.geometry(), window.viewport.mapTo(window, QPoint())))
    ui.workspace.messages.post("error", LONG)
    ui.wait(lambda: not window.floor.covered.isEmpty())
    assert (window.viewport.geometry(), window.viewport.mapTo(window, QPoint())) == before
    floor = window.floor.rect()
    assert window.floor.covered == bar.geometry() and floor.contains(bar.geometry())
    assert bar.width() <= 340 and floor.bottom() - bar.geometry().bottom() < 20
    assert floor.right() - bar.geometry().right() < 20
    left, top, right, bottom = window.overlay.state().covered
    ratio = window.viewport.devicePixelRatioF()
    assert (right - left, bottom - top) == (bar.width() * ratio, bar.height() * ratio)
    bar.clear()
    assert window.floor.covered.isEmpty() and not bar.isVisible()
    assert window.overlay.state().covered is None


@pytest.mark.parametrize("size", [(1320, 820), (900, 600), (760, 460)])
def test_no_notice_covers_the_middle_or_leaves_the_window(ui, bar, tmp_path, size):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    ui.resize(*size)
    yes = NoticeButton("Yes, that would be good", lambda: None)
    for text, buttons in itertools.product(("Saved.", LONG), ((), (yes,))):
        ui.workspace.messages.post("error", text, buttons=buttons)
        floor = ui.window.floor
        ui.wait(lambda floor=floor: floor.rect().contains(bar.geometry()))
        assert not bar.geometry().contains(floor.rect().center())
        row = row_of(bar)
        inside = [w for w in row.findChildren(QPushButton) if w.isVisible()]
        assert all(row.rect().contains(w.geometry().translated(w.parent().pos())) for w in inside)
        bar.clear()


def test_a_short_text_is_shown_whole_and_a_long_one_scrolls(ui, bar):
    ui.workspace.messages.post("warning", "A warning of two lines, which is wider than the small box is.")
    label = next(label for label in row_of(bar).findChildren(QLabel) if "two lines" in label.text())
    ui.wait(lambda: label.visibleRegion().boundingRect().height() >= label.heightForWidth(label.width()))
    bar.clear()
    ui.workspace.messages.post("warning", LONG * 4)
    label = next(label for label in row_of(bar).findChildren(QLabel) if label.text() == LONG * 4)
    ui.wait(lambda: label.height() > bar.height())


def test_notices_stay_until_dismissed_one_after_the_other(ui, bar):
    for index in range(3):
        ui.workspace.messages.post("error", f"sentence {index}")
    assert ui.notices == [f"sentence {i}" for i in (2, 1, 0)]
    assert bar.isVisible() and bar.shown.text == "sentence 2" and place(bar) == "1 of 3"
    button(bar, "Next notice").click()
    assert bar.shown.text == "sentence 1" and place(bar) == "2 of 3"
    button(bar, "Dismiss").click()
    assert bar.shown.text == "sentence 0" and place(bar) == "2 of 2"
    button(bar, "Next notice").click()
    assert bar.shown.text == "sentence 2" and place(bar) == "1 of 2"
    button(bar, "Dismiss").click()
    assert bar.shown.text == "sentence 0" and place(bar) == ""
    button(bar, "Dismiss").click()
    assert not bar.isVisible() and bar.shown is None


def test_the_newest_failure_is_shown_and_all_are_dismissed_at_once(ui, bar):
    ui.workspace.messages.post("error", "alone")
    row = row_of(bar)
    assert not [b for b in row.findChildren(QPushButton) if b.isVisible()], "there is nothing else to dismiss"
    for index in range(11):
        ui.workspace.messages.post("error", f"sentence {index}")
    assert bar.shown.text == "sentence 10" and place(bar) == "1 of 12"
    seen = []
    bar.changed.connect(lambda: seen.append(bar.shown and bar.shown.text))
    button(bar, "Dismiss all").click()
    assert ui.notices == [] and not bar.isVisible()
    assert set(seen) == {"sentence 10", None}


def test_information_and_errors_come_before_what_merely_stays(ui, bar, impatient):
    ui.workspace.messages.post("hint", "may it?")
    ui.workspace.messages.post("warning", "mind this")
    assert bar.shown.text == "mind this"
    ui.workspace.messages.post("error", "this failed")
    assert bar.shown.text == "this failed"
    ui.workspace.messages.post("info", "this is done")
    assert bar.shown.text == "this is done" and place(bar) == "1 of 4"
    ui.wait(lambda: len(ui.notices) == 3)
    assert bar.shown.text == "this failed"
    bar.clear()


def test_what_informs_goes_by_itself_and_each_has_its_time(ui, bar, impatient):
    ui.workspace.messages.post("warning", "mind this")
    ui.workspace.messages.post("error", "this failed")
    shown = []
    bar.changed.connect(lambda: shown.append(bar.shown and bar.shown.text))
    for number in range(3):
        ui.workspace.messages.post("info", f"done {number}", "/tmp/done.png")
    ui.wait(lambda: ui.notices == ["this failed", "mind this"])
    assert [text for text, _ in itertools.groupby(shown)] == ["done 0", "done 1", "done 2", "this failed"]
    QTest.qWait(500)
    assert ui.notices == ["this failed", "mind this"]


def test_a_notice_with_the_focus_stays(ui, bar, impatient):
    ui.activate()
    ui.workspace.messages.post("info", "this is done", "/tmp/done.png")
    show = next(b for b in bar.findChildren(QPushButton) if b.text() == "Show")
    show.setFocus()
    ui.wait(show.hasFocus)
    QTest.qWait(600)
    assert ui.notices == ["this is done"]
    ui.window.setFocus()
    ui.wait(lambda: not ui.notices)


def test_a_notice_under_the_pointer_stays(ui, bar, impatient):
    ui.workspace.messages.post("info", "this is done")
    row = row_of(bar)
    at = QPointF(row.rect().center())
    QApplication.sendEvent(row, QEnterEvent(at, at, QPointF(row.mapToGlobal(at.toPoint()))))
    row.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    QTest.qWait(600)
    assert ui.notices == ["this is done"]
    QApplication.sendEvent(row, QEvent(QEvent.Type.Leave))
    row.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    ui.wait(lambda: not ui.notices)


def test_a_notice_in_use_is_not_replaced_and_escape_dismisses_it(ui, bar):
    ui.play()
    ui.activate()
    ui.workspace.messages.post("warning", "mind this")
    close = button(bar, "Dismiss")
    close.setFocus(Qt.FocusReason.TabFocusReason)
    ui.wait(close.hasFocus)
    ui.workspace.messages.post("error", "this failed")
    assert bar.shown.text == "mind this"
    QTest.keyClick(close, Qt.Key.Key_Escape)
    assert ui.notices == ["this failed"] and bar.shown.text == "this failed"
    assert ui.window.focusWidget() is ui.window.viewport


def test_the_keyboard_steps_through_the_notices(ui, bar):
    ui.activate()
    for index in range(3):
        ui.workspace.messages.post("error", f"sentence {index}")
    button(bar, "Next notice").setFocus(Qt.FocusReason.TabFocusReason)
    for expected in (1, 0, 2):
        focused = button(bar, "Next notice")
        ui.wait(focused.hasFocus)
        QTest.keyClick(focused, Qt.Key.Key_Space)
        assert bar.shown.text == f"sentence {expected}"


def test_a_notice_that_is_said_again_is_there_once(ui, bar):
    for text in ("first", "second", "first"):
        ui.workspace.messages.post("error", text)
    assert ui.notices == ["first", "second"] and bar.shown.text == "first"


def test_full_screen_holds_notices_back_and_says_only_what_is_urgent(ui, bar, impatient):
    ui.play()
    window = ui.window
    window.actions_by_name["full_screen"].trigger()
    ui.wait(window.isFullScreen)
    ui.workspace.messages.post("info", "this is done")
    ui.workspace.messages.post("error", "this failed")
    QTest.qWait(600)
    assert not bar.isVisible() and window.floor.covered.isEmpty() and len(ui.notices) == 2
    assert not window.overlay.state().toast
    ui.workspace.playback.failed.emit("The camera was unplugged.")
    assert window.overlay.state().toast == "The camera was unplugged." and not bar.isVisible()
    window.controls.reveal()
    ratio, place = window.viewport.devicePixelRatioF(), window.controls.geometry()
    assert window.overlay.state().covered[:2] == (place.x() * ratio, place.y() * ratio)
    window.actions_by_name["full_screen"].trigger()
    ui.wait(lambda: not window.isFullScreen())
    assert bar.isVisible() and bar.shown == Notice("info", "this is done")
    ui.wait(lambda: bar.shown.text == "The camera was unplugged.")
    assert "this failed" in ui.notices
    # Until then each size gets the panels as they were.
    ui.wait(lambda: not window.full_screen.restore_panels())


def test_what_was_said_of_a_source_goes_once_another_one_plays(ui, bar, impatient, tmp_path):
    ui.workspace.messages.post("error", "something else failed")
    ui.workspace.get(Opening).open(str(tmp_path / "missing.mp4"))
    ui.wait(lambda: len(ui.notices) == 2)
    QTest.qWait(500)
    assert "missing.mp4" in ui.notices[0]
    ui.play(str(material.image(tmp_path / "one.png")))
    ui.wait(lambda: ui.notices == ["something else failed"])
