"""Space plays and pauses wherever the focus is but in a text; drops are copies; a double click floats no
panel.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QPushButton, QTabBar
from window_panels import chain_of, library_of

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.networks.networks import Networks

Key = Qt.Key
MOVE, COPY = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def press(key):
    """Press a key where the focus is."""
    QTest.keyClick(QApplication.focusWidget(), key)


@pytest.fixture
def playing(ui):
    ui.play()
    ui.activate()
    ui.wait(lambda: ui.workspace.playback.is_playing)
    return ui


def toggles(ui) -> bool:
    """Whether Space pauses, and plays again."""
    playback = ui.workspace.playback
    press(Key.Key_Space)
    if playback.is_playing:
        return False
    press(Key.Key_Space)
    return playback.is_playing


def test_space_is_play_and_pause_on_buttons_and_lists(playing):
    window = playing.window
    pressed = []
    buttons = [b for b in window.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()]
    focusable = [b for b in buttons if b.focusPolicy() & Qt.FocusPolicy.TabFocus][:12]
    assert len(focusable) > 5
    for button in focusable:
        button.pressed.connect(lambda: pressed.append(1))
        button.setFocus()
        if button.hasFocus():
            assert toggles(playing), button.accessibleName()
    assert not pressed
    library_of(window).view.setFocus()
    assert toggles(playing)


def test_enter_presses_the_button_that_has_the_focus(playing):
    playing.workspace.edits.add_filter("invert", {})
    card = next(iter(chain_of(playing.window).cards.values()))
    playing.wait(card.isVisible)
    power = next(b for b in card.findChildren(QAbstractButton) if b.isCheckable() and b.isVisible())
    power.setFocus()
    before = playing.workspace.edits.chain.stages[0].enabled
    press(Key.Key_Return)
    assert playing.workspace.edits.chain.stages[0].enabled is not before


def test_enter_opens_a_list(playing):
    box = QComboBox(playing.window)
    box.addItems(["one", "two"])
    box.show()
    box.setFocus()
    assert toggles(playing)
    press(Key.Key_Return)
    playing.wait(lambda: box.view().isVisible())
    box.hidePopup()
    box.hide()
    box.deleteLater()
    playing.window.viewport.setFocus()


def test_of_a_picture_that_cannot_be_paused_space_presses_no_button(ui, pictures):
    ui.play(str(next(iter(pictures.values()))))
    ui.activate()
    pressed = []
    button = chain_of(ui.window).findChildren(QPushButton)[0]
    button.pressed.connect(lambda: pressed.append(1))
    button.setFocus()
    press(Key.Key_Space)
    assert not pressed and ui.workspace.playback.name
    press(Key.Key_Return)
    assert pressed


def test_a_space_can_be_written(playing):
    search = library_of(playing.window).search
    search.setFocus()
    press(Key.Key_Space)
    assert search.text() == " " and playing.workspace.playback.is_playing


@pytest.mark.parametrize("what", ["stage", "network"])
def test_after_a_card_is_removed_the_picture_has_the_focus(playing, what):
    chain = chain_of(playing.window)
    if what == "stage":
        playing.workspace.edits.add_filter("invert", {})
        card = next(iter(chain.cards.values()))
        remove = lambda: playing.workspace.edits.clear_chain()  # noqa: E731
    else:
        playing.workspace.get(Networks).choose(NetworkSpec("classifier"))
        card = chain.network
        remove = lambda: playing.workspace.get(Networks).choose(None)  # noqa: E731
    playing.wait(card.isVisible)
    inside = next(b for b in card.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled())
    inside.setFocus()
    assert inside.hasFocus()
    remove()
    playing.wait(lambda: QApplication.focusWidget() is playing.window.viewport)
    assert toggles(playing)
    assert QApplication.activeModalWidget() is None


# -- drops ---------------------------------------------------------------------------------------------------


def offered(path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    return data


def test_a_file_manager_is_told_that_it_was_copied(ui, pictures):
    """Who proposes to move, as with Shift held, would delete the file that it hears was moved."""
    path = next(iter(pictures.values()))
    data, both = offered(path), MOVE | COPY
    enter = QDragEnterEvent(QPoint(400, 300), both, data, LEFT, NONE)
    drop = QDropEvent(QPointF(400, 300), both, data, LEFT, NONE)
    for event in (enter, drop):
        event.setDropAction(MOVE)
        QApplication.sendEvent(ui.window, event)
        assert event.isAccepted() and event.dropAction() == COPY
    ui.wait(lambda: ui.workspace.playback.name == str(path))


def test_the_playlist_answers_the_same(ui, player, pictures):
    ui.window.dock_area.docks["playlist"].show()
    ui.wait(lambda: ui.window.dock_area.is_made("playlist"))
    from desktop.ui.features.playlist.playlist_panel import PlaylistPanel

    strip = ui.window.dock_area.panel("playlist", PlaylistPanel).strip
    path = next(iter(pictures.values()))
    data, both = offered(path), MOVE | COPY
    at = QPoint(20, 20)
    for event in (
        QDragEnterEvent(at, both, data, LEFT, NONE),
        QDragMoveEvent(at, both, data, LEFT, NONE),
        QDropEvent(QPointF(at), both, data, LEFT, NONE),
    ):
        event.setDropAction(MOVE)
        QApplication.sendEvent(strip.viewport(), event)
        assert event.dropAction() == COPY
    ui.wait(lambda: len(player.list) == 1)


# -- panels --------------------------------------------------------------------------------------------------


def test_a_double_click_on_a_row_of_tabs_floats_nothing(ui):
    docks = ui.window.dock_area.docks
    bars = [dock.titleBarWidget() for dock in docks.values() if dock.isVisible()]
    tabs = library_of(ui.window).tabs
    for bar in (*bars, tabs, *ui.window.findChildren(QTabBar)):
        if bar.isVisible():
            for at in (QPoint(3, bar.height() // 2), QPoint(bar.width() - 3, bar.height() // 2)):
                QTest.mouseDClick(bar, LEFT, NONE, at)
    assert not [name for name, dock in docks.items() if dock.isFloating()]
