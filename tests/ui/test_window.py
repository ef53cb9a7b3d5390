"""The window as a whole: keys, sizes, themes, view, palette, recording."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from dataclasses import replace

import av
import material
import numpy as np
import pytest
from losing import lose
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenuBar,
    QPushButton,
    QScrollBar,
    QTabBar,
    QTreeWidgetItem,
    QWidget,
)
from waiting import LIMIT_S
from window_panels import chain_of, library_of, sources_of, stats_of

from desktop.compute.gpu.device import AdapterInfo
from desktop.media.sources.video import VideoSource
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.adapter.adapter_choice import AdapterChoice
from desktop.ui.features.playback.transport import TimeLine
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.theme import DARK, LIGHT, VIEWER
from desktop.ui.kit.widgets import Themed
from desktop.ui.shell.dialogs import AdapterDialog
from desktop.ui.shell.empty_state import EmptyState
from desktop.ui.shell.full_screen import FullScreen
from desktop.ui.workspace.by_adapter import first_filter
from desktop.ui.workspace.keys_dialog import KeysDialog
from desktop.ui.workspace.playback import SPEEDS
from desktop.ui.workspace.source_kinds import kind_of
from desktop.vision.models.builtin import builtin_models


def test_empty_state_and_the_sample(ui):
    assert ui.window.pages.currentWidget() is ui.window.empty
    QTest.mouseClick(ui.window.empty.sample, Qt.MouseButton.LeftButton)
    ui.wait(
        lambda: (
            ui.window.pages.currentWidget() is ui.window.viewport and ui.workspace.engine.pipeline.has_picture
        )
    )


def test_space_steps_and_speed(ui):
    ui.play()
    playback = ui.workspace.playback
    ui.press(Qt.Key.Key_Space)
    ui.wait(lambda: playback.source.state == "paused")
    here = ui.still(lambda: playback.seekable.position)  # a picture that was under way comes after the pause
    ui.press(Qt.Key.Key_Period)
    ui.wait(lambda: abs(playback.seekable.position - here - 1 / 30) < 1e-6)
    ui.press(Qt.Key.Key_Comma)
    ui.wait(lambda: abs(playback.seekable.position - here) < 1e-6)
    ui.press(Qt.Key.Key_BracketRight)
    assert playback.speed == 1.25
    ui.press(Qt.Key.Key_Backspace)
    assert playback.speed == 1.0
    ui.press(Qt.Key.Key_Right)
    ui.wait(lambda: abs(playback.seekable.position - here - 5) < 0.05)
    ui.press(Qt.Key.Key_Space)
    ui.wait(lambda: playback.source.state == "playing")


def test_a_b_loop_by_key(ui):
    ui.play()
    ui.pause()
    playback = ui.workspace.playback
    playback.seek(2.0)
    ui.wait(lambda: abs(playback.seekable.position - 2.0) < 0.04)
    ui.press(Qt.Key.Key_L)
    playback.seek(3.0)
    ui.wait(lambda: abs(playback.seekable.position - 3.0) < 0.04)
    ui.press(Qt.Key.Key_L)
    assert playback.loop_a == pytest.approx(2.0, abs=0.04) and playback.loop_b == pytest.approx(3.0, abs=0.04)
    ui.press(Qt.Key.Key_L)
    assert playback.loop_a is None and playback.loop_b is None


def test_a_focused_control_keeps_its_keys(ui):
    ui.play()
    ui.workspace.edits.add_filter("exposure")
    card = next(iter(chain_of(ui.window).cards.values()))
    card.set_expanded(True)
    slider = next(iter(card.editors.values())).slider
    slider.setFocus()
    before, position = slider.value(), ui.workspace.playback.seekable.position
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() > before
    assert ui.workspace.playback.seekable.position < position + 4


def test_a_alone_is_a_mark_and_no_loop(ui, qtbot):
    line = TimeLine(Themed())
    qtbot.addWidget(line)
    line.resize(214, 26)
    mark = QColor(DARK.warning)

    def marked() -> list[int]:
        image = line.grab().toImage()
        return [x for x in range(line.width()) if image.pixelColor(x, 6).red() > (mark.red() + 60) // 2]

    line.show_time(9.0, 10.0, (None, None))
    assert marked() == []
    line.show_time(9.0, 10.0, (2.0, None))
    # 7 pixels of margin, 20 a second; a mark of 2 and its smoothed edges.
    assert marked() and all(abs(x - 47) <= 2 for x in marked())
    line.show_time(9.0, 10.0, (2.0, 5.0))
    image = line.grab().toImage()
    between = image.pixelColor(77, 9)
    assert between.red() > image.pixelColor(30, 9).red() + 40
    assert any(abs(x - 47) <= 2 for x in marked()) and any(abs(x - 107) <= 2 for x in marked())


def test_the_loop_actions_show_what_loops(ui, tmp_path):
    actions, playback = ui.window.actions_by_name, ui.workspace.playback
    ui.play()
    assert actions["loop"].isChecked() and ui.window.transport.loop.isChecked()
    actions["loop"].trigger()
    assert not playback.loop_file and not actions["loop"].isChecked()
    actions["loop_ab"].trigger()
    assert playback.loop_a is not None and actions["loop_ab"].isChecked()
    QTest.mouseClick(ui.window.transport.loop, Qt.MouseButton.LeftButton)
    assert playback.loop_file and actions["loop"].isChecked()
    assert playback.loop_a is None and not actions["loop_ab"].isChecked()
    ui.play(str(material.video(tmp_path / "ramp.mp4")))
    assert not actions["loop"].isChecked()


def test_playback_needs_a_time_line(ui, tmp_path):
    actions = ui.window.actions_by_name
    assert not actions["play"].isEnabled() and not actions["close_source"].isEnabled()
    ui.play()
    assert actions["play"].isEnabled() and actions["close_source"].isEnabled()
    ui.play(str(material.image(tmp_path / "one.png")))
    assert not actions["loop"].isEnabled() and actions["close_source"].isEnabled()


def test_pauses_seeks_and_steps_are_no_frame_time(ui):
    ui.play()
    pipeline, playback = ui.workspace.engine.pipeline, ui.workspace.playback
    ui.wait(lambda: ui.frames > 6)
    ui.pause()
    ui.still(lambda: ui.frames)  # a picture drawn just before the pause may still be on its way
    pipeline.statistics.reset()
    for count in range(3):
        playback.step(1) if count else playback.seek(2.0)
        ui.wait(lambda count=count: ui.frames == count + 1)
    assert pipeline.statistics.frame_time.values == []
    playback.toggle()
    ui.wait(lambda: ui.frames >= 6)
    # The sample's three pictures after the first of the new run follow each other.
    assert 1 <= len(pipeline.statistics.frame_time.values) <= ui.frames - 4


def test_two_copies_of_a_filter_have_a_row_each(ui):
    ui.play()
    ui.workspace.edits.add_filter("invert")
    ui.workspace.edits.add_filter("invert")
    ui.settle()
    ui.window.actions_by_name["stats"].trigger()
    stats_of(ui.window).reset()  # the first was drawn alone while the second was compiled
    keys = {f"filter:{stage.id}" for stage in ui.workspace.edits.chain.stages}

    def rows():
        return {row.key: row for row in stats_of(ui.window).stages.rows}

    ui.wait(lambda: keys <= rows().keys())
    stats_of(ui.window).update_figures()
    lengths = [len(rows()[key].samples) for key in keys]
    # One of the two may have been drawn with a frame's time before the other's had come.
    assert len(keys) == 2 and max(lengths) - min(lengths) <= 1
    ui.window.actions_by_name["stats"].trigger()


def test_nothing_to_copy_paste_or_clear(ui):
    actions, panel = ui.window.actions_by_name, chain_of(ui.window)
    ui.workspace.edits.clipboard = ()
    ui.workspace.edits.clipboard_changed.emit()
    assert not any(actions[name].isEnabled() for name in ("copy_chain", "paste", "clear_chain"))
    assert not any(action.isEnabled() for action in panel.make_menu().actions()[:3])
    ui.workspace.edits.add_filter("invert")
    assert (
        panel.make_menu().actions()[0].isEnabled()
        and actions["clear_chain"].isEnabled()
        and not actions["paste"].isEnabled()
    )
    actions["copy_chain"].trigger()
    assert actions["paste"].isEnabled()


def test_a_loading_network_can_be_canceled(ui, tmp_path, monkeypatch):
    ui.play()
    gate = threading.Event()
    load = ui.workspace.engine._load_network

    def slow(gpu, spec):
        assert gate.wait(LIMIT_S)
        return load(gpu, spec)

    monkeypatch.setattr(ui.workspace.engine, "_load_network", slow)
    card = chain_of(ui.window).network
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    try:
        ui.wait(lambda: card.cancel.isVisible())
        QTest.mouseClick(card.cancel, Qt.MouseButton.LeftButton)
        assert ui.workspace.edits.setup.network is None and not card.isVisible()
        assert ui.workspace.engine.current.network_status.state == "none"
    finally:
        gate.set()
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 2)
    assert ui.workspace.engine.current.network_status.state == "none" and not ui.notices


def test_a_wheel_that_is_pushed_sideways_leaves_the_whole_picture_in_view(ui):
    """The ends of a gesture on a touchpad come as such wheels too."""
    ui.play()
    viewport = ui.window.viewport
    viewport.fit()
    before, middle = viewport.view, QPointF(viewport.rect().center())
    for angle, changes in ((QPoint(120, 0), False), (QPoint(0, 0), False), (QPoint(0, 120), True)):
        wheel = QWheelEvent(
            middle,
            viewport.mapToGlobal(middle),
            QPoint(),
            angle,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, wheel)
        assert (viewport.view != before) == changes
    viewport.fit()


def test_zoom_pan_split_and_mirror(ui):
    ui.play()
    viewport = ui.window.viewport
    ui.press(Qt.Key.Key_1)
    assert viewport.zoom == 1.0 and viewport.view.mode == "free"
    ui.press(Qt.Key.Key_Plus)
    assert viewport.zoom == pytest.approx(1.25)
    ui.press(Qt.Key.Key_0)
    assert viewport.view.mode == "fit"
    ui.press(Qt.Key.Key_B)
    assert viewport.view.split == 0.5
    middle = viewport.height() // 2
    start, end = QPoint(viewport.width() // 2, middle), QPoint(viewport.width() // 4, middle)
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(viewport, end)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    ui.wait(lambda: abs(viewport.view.split - 0.25) < 0.02)
    ui.press(Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert viewport.view.mirrored


def test_figures_on_the_picture(ui):
    ui.play()
    pinned = ui.window.actions_by_name["pin_figures"]
    if not pinned.isChecked():
        pinned.trigger()
    assert ui.window.overlay.state().rows[0][0] == "FPS"
    ui.press(Qt.Key.Key_I, Qt.KeyboardModifier.ShiftModifier)
    assert not pinned.isChecked() and not ui.window.overlay.state().rows
    ui.press(Qt.Key.Key_I)
    assert ui.window.overlay.state().rows


@pytest.mark.parametrize("size", [(900, 560), (1200, 760)])
def test_no_control_is_cut_off(ui, size):
    ui.play()
    ui.workspace.edits.add_filter("vignette")
    ui.window.resize(*size)
    ui.wait(lambda: (ui.window.width(), ui.window.height()) == size)
    ui.wait(lambda: ui.window.viewport.device_size[0] < size[0])
    for kind in (QAbstractButton, QComboBox, QLineEdit):
        for widget in ui.window.transport.findChildren(kind) + chain_of(ui.window).findChildren(kind):
            if widget.isVisible():
                assert widget.height() >= widget.minimumSizeHint().height() - 1, widget
                assert widget.mapTo(ui.window, QPoint(widget.width(), 0)).x() <= size[0], widget
    ui.wait(lambda: ui.window.viewport.width() >= 240)


def test_every_control_has_a_name(ui):
    ui.workspace.edits.add_filter("vignette")
    for button in ui.window.findChildren(QAbstractButton):
        parent = type(button.parent()).__name__
        if button.isVisible() and parent not in ("QLineEdit",):
            assert button.accessibleName() or button.text() or button.toolTip(), (button, parent)


def test_the_tab_key_follows_the_eye(ui):
    ui.play()
    for name in ("exposure", "vignette"):
        ui.workspace.edits.add_filter(name)
    ui.workspace.edits.move_stage(ui.workspace.edits.chain.stages[1].id, 0)  # made last, now first
    window = ui.window
    ui.activate()
    cards = [chain_of(window).cards[stage.id] for stage in ui.workspace.edits.chain.stages]
    ui.wait(lambda: all(card.isVisible() for card in cards))
    window.viewport.setFocus()
    reached = []
    while not reached or reached[-1] is not window.viewport:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
        assert len(reached) < 300
    at = [reached.index(widget) for widget in (chain_of(window).save, *cards, window.transport.play)]
    assert at == sorted(at) and at[0] == 0  # the chain follows the picture
    opened = next(card for card in cards if card.expanded)
    editor = next(iter(opened.editors.values()))
    assert reached.index(opened) < reached.index(editor.slider) < at[-1]
    assert reached.index(window.header.adapter) < reached.index(library_of(window).tabs)
    QTest.keyClick(window.viewport, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is reached[-2]


def test_resize_keeps_drawing(ui):
    ui.play()
    ui.window.resize(1000, 640)
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 2)
    width, height = ui.window.viewport.device_size
    ratio = ui.window.viewport.devicePixelRatioF()
    assert (width, height) == (
        round(ui.window.viewport.width() * ratio),
        round(ui.window.viewport.height() * ratio),
    )


def test_themes(ui):
    ui.window.actions_by_name["theme_light"].trigger()
    assert ui.window.themed.theme is LIGHT and ui.workspace.settings.theme == "light"
    assert ui.window.viewport.view.background == VIEWER and max(VIEWER) < 0.1
    ui.window.actions_by_name["theme_dark"].trigger()
    assert ui.window.themed.theme is DARK
    assert QApplication.palette().window().color().name() == DARK.panel


def contrast(front: str, back: str) -> float:
    """The ratio of two colors' luminances, as WCAG 2.1 defines it."""

    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(front), luminance(back)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_controls_have_contrast(theme):
    """WCAG 2.1, 1.4.11: at least 3:1 between what a control is found by and its ground."""
    for ground in (theme.ground, theme.panel, theme.raised):
        assert contrast(theme.outline, ground) >= 3, ground
        assert contrast(theme.accent, ground) >= 3, ground
    assert contrast(theme.accent_text, theme.accent) >= 3  # the tick in its box


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_an_unticked_box_is_drawn_with_its_outline(ui, qtbot, theme):
    ui.window.workspace.settings.theme = theme.name
    box = QCheckBox("tick")
    qtbot.addWidget(box)
    box.show()
    qtbot.waitExposed(box)

    def colors() -> set[str]:
        image = box.grab().toImage()
        return {image.pixelColor(x, y).name() for x in range(14) for y in range(image.height())}

    assert theme.outline in colors() and theme.accent not in colors()
    box.setChecked(True)
    assert theme.accent in colors()
    ui.window.workspace.settings.theme = "dark"


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_text_has_contrast(theme):
    """WCAG 2.1, 1.4.3: at least 4.5:1 between text and its ground."""
    pairs = [
        *(
            (theme.text, ground)
            for ground in (theme.ground, theme.panel, theme.raised, theme.hover, theme.selected)
        ),
        *((theme.muted, ground) for ground in (theme.ground, theme.panel, theme.raised)),
        (theme.accent_text, theme.accent),
        (theme.error, theme.raised),
        (theme.text, theme.error_ground),
    ]
    for front, back in pairs:
        assert contrast(front, back) >= 4.5, (front, back)


def test_palette_finds_and_runs(ui):
    palette = ui.window.dialogs.show_palette()
    QTest.keyClicks(palette.search, "add bloom")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    ui.wait(lambda: ui.stages == ["bloom"])


def test_the_palette_offers_what_is_called_so_first(ui):
    palette = ui.window.dialogs.show_palette()
    best = {}
    for words in ("light", "bloom", "snapshot", "edge", "open", "keys"):
        palette.search.setText(words)
        best[words] = palette.list.topLevelItem(0).text(0)
    assert best["light"] == "Theme: Light" and best["bloom"] == "Add Bloom"
    assert best["snapshot"] == "Snapshot" and best["open"] == "Open" and best["keys"] == "Keyboard shortcuts"
    assert not palette.nothing.isVisible()
    palette.search.setText("qzqz")
    assert palette.nothing.isVisible() and "qzqz" in palette.nothing.text()
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    assert ui.stages == []


def row_heights(tree) -> set[int]:
    return {
        tree.visualItemRect(tree.topLevelItem(index)).height() for index in range(tree.topLevelItemCount())
    }


def test_rows_have_one_height(ui, qtbot):
    """From the first showing on: a list is filled before it is shown."""
    palette = ui.window.dialogs.show_palette()
    qtbot.waitExposed(palette)
    before = row_heights(palette.list)
    QTest.keyClicks(palette.search, "a")
    assert len(before) == 1 and before == row_heights(palette.list)
    palette.close()
    recent = type(sources_of(ui.window).tree)()
    qtbot.addWidget(recent)
    recent.addTopLevelItem(QTreeWidgetItem(["clip.mp4"]))
    recent.setCurrentItem(recent.topLevelItem(0))
    recent.show()
    qtbot.waitExposed(recent)
    assert row_heights(recent) == before


def test_the_palette_says_what_is_light_and_dark(ui):
    titles = [command.title for command in ui.window.dialogs.commands()]
    assert {"Theme: Light", "Theme: Dark", "Theme: Follow the system", "Look: Comic"} <= set(titles)
    assert not {"Light", "Dark", "Comic"} & set(titles)


def test_a_search_without_a_hit_says_so(ui):
    library = library_of(ui.window)
    library.search.setText("no such thing")
    said = [label.text() for label in library.findChildren(QLabel) if label.isVisibleTo(library)]
    assert "Nothing is called “no such thing”. Try another word." in said and library.view.isHidden()
    library.search.clear()
    assert not [label for label in library.findChildren(QLabel) if label.isVisibleTo(library)]


def test_a_long_name_leaves_the_state_in_sight(ui, tmp_path):
    ui.window.docks["sources"].show()
    ui.play(str(material.video(tmp_path / f"{'a-very-long-name-' * 6}.mp4")))
    sources = sources_of(ui.window)
    ui.wait(lambda: sources.state.text() in ("playing", "paused", "ended"))
    ui.wait(lambda: sources.state.width() >= sources.state.sizeHint().width())
    assert sources.state.mapTo(sources, QPoint(sources.state.width(), 0)).x() <= sources.width()


def test_a_still_image_is_called_one(ui, tmp_path):
    path = material.image(tmp_path / "one.png")
    ui.play(str(path))
    assert sources_of(ui.window).state.text() == "image"
    assert [kind_of(name) for name in (str(path), "/a/b.mp4", "/a/b", "rtsp://host/a.jpg")] == [
        *("image", "video", "folder", "stream")
    ]


def test_both_times_are_as_exact_and_an_unusual_speed_is_shown(ui):
    ui.play()
    ui.pause()
    transport, playback = ui.window.transport, ui.workspace.playback
    playback.seek(1.0)
    ui.window.refresh()
    assert re.fullmatch(r"\d+:\d\d\.\d{3}", transport.time.text())
    assert re.fullmatch(r"\d+:\d\d\.\d{3}", transport.length.text())
    for speed in SPEEDS:
        playback.set_speed(speed)
        ui.wait(lambda shown=speed != 1.0: transport.speed.isVisible() is shown)
        assert transport.speed.text() == f"{speed:g}×"


class LateFrame(VideoSource):
    """A file whose frames lie after the duration that its header gives."""

    @property
    def position(self) -> float:
        return self.info.duration + 0.02


def test_the_time_does_not_run_past_the_end(ui, tmp_path):
    path = material.video(tmp_path / "late.mp4")
    source = LateFrame(path)
    ui.workspace.playback.adopt(str(path), source)
    ui.wait(lambda: ui.workspace.playback.source is source)
    ui.window.refresh()
    transport = ui.window.transport
    ui.wait(lambda: transport.time.text() == transport.length.text() != "")
    assert transport.line.position == transport.line.duration


def test_panels_stay_hidden_where_the_window_is_resized_at_once(qtbot):
    """As on Windows, within the call; twice, since the panels come back for a while after the first time."""

    class Resized(QMainWindow):
        def setWindowState(self, state):
            super().setWindowState(state)
            full.restore_panels()

    window, dock = Resized(), QDockWidget(objectName="panel")
    qtbot.addWidget(window)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    full = FullScreen(window, lambda: [dock])
    for is_hidden in (True, False, True, False):
        full.toggle()
        assert dock.isHidden() == is_hidden


@pytest.mark.parametrize("maximized", [False, True])
def test_full_screen_gives_the_layout_back(ui, maximized):
    ui.play()
    window = ui.window

    def layout():
        return {
            # One that is hidden lies nowhere.
            name: dock.isVisible() and dock.geometry()
            for name, dock in window.docks.items()
        } | {"window": window.size()}

    if maximized:
        window.showMaximized()
        QTest.qWait(500)
    window.workspace.settings.theme = "light"
    window.docks["sources"].show()
    window.resizeDocks(
        [window.docks["sources"], window.docks["library"]], [210, 400], Qt.Orientation.Vertical
    )
    before = ui.still(layout)
    for key in (Qt.Key.Key_F, Qt.Key.Key_Escape, Qt.Key.Key_F):
        ui.press(Qt.Key.Key_F)
        ui.wait(window.isFullScreen)
        assert window.viewport.view.background == (0.0, 0.0, 0.0)
        QTest.qWait(400)
        assert not any(dock.isVisible() for dock in window.docks.values())
        ui.press(key)
        ui.wait(lambda: not window.isFullScreen())
        ui.wait(lambda: layout() == before)
        QTest.qWait(400)
        assert layout() == before and window.isMaximized() == maximized
        assert window.viewport.view.background == VIEWER
    window.workspace.settings.theme = "dark"
    # Until then each size gets the panels as they were, and the next test would begin with those of a narrow
    # window.
    ui.wait(lambda: not window.full_screen.restore_panels())
    window.showNormal()


def test_keys_dialog_lists_the_keys(ui):
    ui.workspace.edits.add_filter("vignette")
    ui.press(Qt.Key.Key_Question)
    ui.wait(lambda: any(isinstance(w, KeysDialog) for w in QApplication.topLevelWidgets()))
    dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, KeysDialog))
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Undo" in texts and not any("Vignette" in text for text in texts)
    dialog.close()


def test_statistics_dock(ui):
    ui.play()
    ui.window.actions_by_name["stats"].trigger()
    ui.wait(lambda: "FPS" in stats_of(ui.window).numbers.text and stats_of(ui.window).stages.rows)
    ui.window.actions_by_name["stats"].trigger()
    ui.wait(lambda: not stats_of(ui.window).isVisible())


def test_statistics_fit_into_a_small_window(ui):
    ui.play()
    ui.workspace.edits.add_filter("background")
    ui.resize(900, 600)
    ui.window.actions_by_name["stats"].trigger()
    stats, docks = stats_of(ui.window), ui.window.docks
    ui.wait(lambda: stats.isVisible() and stats.stages.rows)
    QTest.qWait(100)  # whatever answers to the new panel has done so
    assert (ui.window.width(), ui.window.height()) == (900, 600)
    assert not docks["stats"].geometry().intersects(docks["chain"].geometry())
    for part in (stats.area, stats.numbers, stats.stages):
        corners = [part.mapTo(stats, QPoint(x, 0)).x() for x in (0, part.width())]
        assert 0 <= corners[0] < corners[1] <= stats.width(), part
    assert not stats.frames.isVisible()
    ui.resize(1400, 860)
    ui.wait(stats.frames.isVisible)
    ui.window.actions_by_name["stats"].trigger()


def test_recording_can_be_played(ui, tmp_path):
    ui.play()
    ui.workspace.get(Pictures).toggle_recording(tmp_path / "none.mp4")
    ui.workspace.get(Pictures).toggle_recording()
    ui.wait(lambda: any("Nothing was recorded" in text for text in ui.notices))
    path = tmp_path / "made.mp4"
    ui.workspace.get(Pictures).toggle_recording(path)
    assert ui.window.overlay.state().recording
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 6)
    ui.workspace.get(Pictures).toggle_recording()
    ui.wait(lambda: any(str(path) in text for text in ui.notices))
    assert len(ui.notices) == 1, "what was said of the one that failed is old news"
    with av.open(str(path)) as container:
        pictures = list(container.decode(video=0))
    assert len(pictures) >= 3 and (pictures[0].width, pictures[0].height) == (128, 72)


def test_copied_picture(ui):
    QApplication.clipboard().clear()  # another test's picture
    ui.play()
    ui.workspace.get(Pictures).copy_picture()
    ui.wait(lambda: not QApplication.clipboard().image().isNull())
    assert QApplication.clipboard().image().size().toTuple() == (128, 72)


def test_device_loss_keeps_the_chain_and_the_picture(ui):
    ui.play()
    ui.workspace.edits.add_filter("invert")
    ui.settle()
    rebuilds = ui.workspace.engine.rebuilds
    ui.workspace.engine.rebuild()
    assert ui.workspace.engine.rebuilds == rebuilds + 1
    assert ui.stages == ["invert"]
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 2)


@pytest.fixture
def analyzed(ui, tmp_path):
    """The window with a picture, a filter and a network that has said something."""
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    ui.workspace.edits.add_filter("invert")
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.window.overlay.state().bars)
    ui.settle()
    return ui


def _is_as_before(ui, setup, picture) -> bool:
    engine = ui.workspace.engine
    if (
        engine.current.network_status.state != "running"
        or not ui.window.overlay.state().bars
        or engine.current.wants_frames
    ):
        return False
    return ui.workspace.edits.setup == setup and np.array_equal(ui.picture(), picture)


def test_a_lost_device_is_replaced_with_chain_network_and_picture(analyzed):
    ui = analyzed
    setup, picture, rebuilds = ui.workspace.edits.setup, ui.picture(), ui.workspace.engine.rebuilds
    # Dawn crashes where a pipeline is released that was compiled while its device was lost (docs/facts.md).
    ui.wait(lambda: ui.workspace.engine.previews.is_complete)
    # A repaint notices it.
    lose(ui.workspace.engine.gpu)
    ui.window.show_message("repaint")
    ui.wait(lambda: ui.workspace.engine.rebuilds == rebuilds + 1)
    ui.wait(lambda: _is_as_before(ui, setup, picture))
    assert not ui.notices


def test_another_adapter_keeps_chain_network_and_picture(analyzed):
    ui = analyzed
    setup, picture, rebuilds = ui.workspace.edits.setup, ui.picture(), ui.workspace.engine.rebuilds
    ui.workspace.get(AdapterChoice).use(ui.workspace.adapter)
    ui.wait(lambda: ui.workspace.engine.rebuilds == rebuilds + 1)
    ui.wait(lambda: _is_as_before(ui, setup, picture))
    assert ui.workspace.adapter.name in ui.workspace.settings.adapter and not ui.notices
    assert ui.workspace.adapter.title in ui.window.header.adapter.toolTip()
    ui.workspace.settings.adapter = ""


def test_settings_survive_and_a_broken_file_is_no_error(tmp_path):
    path = tmp_path / "settings.ini"
    settings = Settings(path)
    settings.theme, settings.favorites = "light", ["bloom"]
    settings.add_recent("/a/b.mp4")
    settings.add_recent("rtsp://user:secret@host/x")
    settings.sync()
    again = Settings(path)
    assert (again.theme, again.favorites, again.recent) == ("light", ["bloom"], ["/a/b.mp4"])
    path.write_bytes(b"[[[\n\xff\xfe\0theme=12\nrecent={{{")
    broken = Settings(path)
    assert broken.theme == "system" and broken.recent == []
    assert "damaged" in broken.problem and not settings.problem
    assert (tmp_path / "settings.ini.broken").read_bytes().startswith(b"[[[")


def test_bundled_presets_are_in_the_menu_and_can_be_undone(ui):
    ui.play()
    before = ui.workspace.edits.setup
    ui.window.actions_by_name["preset_comic"].trigger()
    ui.wait(lambda: [s.filter for s in ui.workspace.edits.chain.stages] == ["cartoon", "halftone"])
    ui.workspace.edits.undo()
    assert ui.workspace.edits.setup == before


@pytest.mark.parametrize("width", [900, 1320])
def test_the_chip_of_the_adapter_says_cpu_or_names_the_gpu(ui, width):
    header, adapter = ui.window.header, ui.workspace.adapter
    ui.resize(width, 700)
    header.show_adapter(AdapterInfo("llvmpipe (LLVM 15.0.6, 256 bits)", "software", "Vulkan", "llvmpipe", ""))
    assert header.adapter.text() == "CPU"
    gpu = AdapterInfo("NVIDIA H200", "discrete", "Vulkan", "NVIDIA", "550.54")
    header.show_adapter(gpu)
    assert header.adapter.text() == f"GPU: {gpu.title}"
    header.show_adapter(adapter)


def test_advice_on_a_driver_with_a_known_fault_is_at_the_adapter_and_no_notice(ui, monkeypatch):
    old = AdapterInfo("llvmpipe (LLVM 15.0.6, 256 bits)", "software", "Vulkan", "llvmpipe", "Mesa 22.3.5")
    ui.workspace.engine.rebuild()
    rebuilt = ui.workspace.engine_rebuilt

    def advice() -> tuple[str, str]:
        """What the chip says, and what the dialog that it opens."""
        rebuilt.emit()
        ui.window.header.adapter.click()
        ui.wait(lambda: not ui.workspace.jobs.running)
        dialog = ui.window.findChild(AdapterDialog)
        text = dialog.advice.text() if dialog.advice.isVisible() else ""
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        dialog.close()
        dialog.setParent(None)
        return ui.window.header.adapter.toolTip(), text

    monkeypatch.setattr(ui.workspace.engine.gpu, "adapter", old)
    tip, text = advice()
    assert text.startswith("Mesa 22.3.5 loses memory") and "Mesa 25.0 or newer" in text
    assert text in tip and not ui.notices
    monkeypatch.setattr(ui.workspace.engine.gpu, "adapter", replace(old, driver="Mesa 25.0.7 (LLVM 15.0.6)"))
    tip, text = advice()
    assert text == "" and "Mesa" not in tip and not ui.notices
    monkeypatch.undo()
    rebuilt.emit()


def test_all_panels_at_once_fit_into_a_small_window(ui):
    window = ui.window
    start = window.findChild(EmptyState)
    assert start is not None
    texts = {button: button.text() for button in (start.sample, start.open, start.camera)}
    for button, text in texts.items():
        button.setText(text * 2)  # as in another language
    try:
        ui.play()
        ui.resize(900, 600)
        window.dock_area.search("zones")
        window.dock_area.toggle("results", grow=True)
        ui.settle()
        layout = window.layout()
        assert layout is not None and layout.minimumSize().width() <= 900
        assert (window.width(), window.height()) == (900, 600)
    finally:
        for button, text in texts.items():
            button.setText(text)
        window.dock_area.docks["results"].hide()


def test_bottom_panels_are_tabs_of_one_area(ui):
    window, area = ui.window, ui.window.dock_area
    names = ("comparison", "outputs", "playlist")
    docks = [window.docks[name] for name in names]
    titles = {"comparison": "Compare backends", "outputs": "Outputs", "playlist": "Playlist"}
    ui.resize(1900, 820)
    for name, dock in zip(names, docks, strict=True):
        area.toggle(name, grow=True)
        ui.wait(lambda dock=dock: not dock.visibleRegion().isEmpty())
    assert all(docks[0] in window.tabifiedDockWidgets(dock) for dock in docks[1:])
    assert [dock.visibleRegion().isEmpty() for dock in docks] == [True, True, False]
    # The tab may be shorter; the menu calls each by its whole name.
    assert docks[0].windowTitle() == "Comparison"
    assert {name: window.docks[name].toggleViewAction().text() for name in names} == titles
    area.toggle("comparison")
    ui.wait(lambda: not docks[0].visibleRegion().isEmpty())
    area.toggle("comparison")
    assert docks[0].isHidden() and not docks[1].isHidden()


def test_left_panels_stay_folded_in_a_window_that_a_panel_made_wider(ui):
    window, area = ui.window, ui.window.dock_area
    left, wide, chain = (window.docks[name] for name in ("library", "comparison", "chain"))
    ui.resize(900, 600)
    ui.wait(left.isHidden)
    wide.setMinimumWidth(800)
    try:
        area.toggle("comparison", grow=True)
        ui.wait(lambda: window.width() > 1080)
        ui.settle()
        assert left.isHidden() and not wide.geometry().intersects(chain.geometry())
        area.toggle("comparison")
        ui.wait(left.isVisible)
    finally:
        wide.setMinimumWidth(0)
        wide.hide()


def test_split_bottom_panels_share_the_width_and_are_tabs_where_they_do_not_fit(ui):
    window, area = ui.window, ui.window.dock_area
    names = ("comparison", "outputs", "playlist")
    docks = [window.docks[name] for name in names]
    try:
        ui.play()
        ui.resize(1900, 820)
        for name in names:
            area.toggle(name, grow=True)
        ui.wait(lambda: not docks[2].visibleRegion().isEmpty())
        for dock in docks:  # as a drag of each to the right does
            window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock, Qt.Orientation.Horizontal)
        ui.wait(lambda: not any(dock.visibleRegion().isEmpty() for dock in docks))
        # The comparison needs more than its share.
        ui.wait(lambda: abs(docks[1].width() - docks[2].width()) <= 4)
        ui.resize(1320, 820)
        ui.wait(lambda: len(window.tabifiedDockWidgets(docks[0])) >= 2)
        assert (window.width(), window.height()) == (1320, 820)
        # Wide enough, all stand beside each other again, and so they are kept.
        ui.resize(1900, 820)
        ui.wait(lambda: not any(dock.visibleRegion().isEmpty() for dock in docks))
        assert not any(dock in window.tabifiedDockWidgets(docks[0]) for dock in docks)
        ui.resize(1320, 820)
        ui.wait(lambda: len(window.tabifiedDockWidgets(docks[0])) >= 2)
        area.unfold(unstack=True)
        assert not any(dock in window.tabifiedDockWidgets(docks[0]) for dock in docks)
        # One that is put away gives its room to the others.
        docks[0].hide()
        ui.wait(lambda: not any(dock.visibleRegion().isEmpty() for dock in docks[1:]))
        assert docks[0].isHidden() and docks[2] not in window.tabifiedDockWidgets(docks[1])
    finally:
        area.reset()


def test_a_panel_hidden_in_a_saved_layout_joins_the_tabs(ui):
    window, area = ui.window, ui.window.dock_area
    outputs, playlist = window.docks["outputs"], window.docks["playlist"]
    try:
        ui.resize(1900, 820)
        # As versions without tabs kept it: panels beside each other, one of them hidden.
        for dock in (outputs, playlist):
            window.removeDockWidget(dock)
            window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock, Qt.Orientation.Horizontal)
        outputs.show()
        old = window.saveState()
        area.reset()
        area.restore(old)
        assert not outputs.isHidden() and playlist.isHidden()
        area.toggle("playlist")
        ui.wait(lambda: playlist in window.tabifiedDockWidgets(outputs))
        assert not playlist.isHidden()
    finally:
        area.reset()


def test_qts_own_entries_of_the_menu_do_what_the_keys_do(ui):
    """A panel that is shown by one lies in front, and the sides get their width back."""
    window, area = ui.window, ui.window.dock_area
    names = ("comparison", "outputs", "playlist", "exports")
    content = window.docks["exports"].widget()

    def choose(name: str) -> None:
        window.docks[name].toggleViewAction().trigger()
        ui.still(sides)

    def sides() -> tuple[int, int]:
        return window.docks["library"].width(), window.docks["chain"].width()

    try:
        ui.play()
        ui.resize(1320, 820)
        area.reset()
        ui.wait(lambda: sides() == (250, 330))
        content.setMinimumWidth(780)
        for name in names:
            choose(name)
            assert not window.docks[name].visibleRegion().isEmpty(), name
        ui.wait(lambda: sides()[0] < 250)
        for name in names:
            choose(name)
        ui.wait(lambda: sides() == (250, 330))
    finally:
        content.setMinimumWidth(0)
        area.reset()


def test_a_panel_that_leaves_the_tabs_has_its_title_back(ui):
    window, area = ui.window, ui.window.dock_area
    dock = window.docks["comparison"]
    try:
        ui.play()
        for name in ("outputs", "playlist", "comparison"):
            area.show(name, grow=True)
        ui.wait(lambda: dock.windowTitle() == "Comparison")
        dock.setFloating(True)
        ui.wait(lambda: dock.windowTitle() == "Compare backends")
    finally:
        area.reset()


def test_panels_at_the_sides_get_back_what_those_at_the_bottom_took(ui):
    window, area = ui.window, ui.window.dock_area
    content = window.docks["results"].widget()

    def sides() -> tuple[int, int]:
        return window.docks["library"].width(), window.docks["chain"].width()

    def toggle(name: str) -> None:
        area.toggle(name, grow=True)
        ui.still(sides)

    try:
        ui.play()
        ui.resize(1320, 820)
        area.reset()
        ui.wait(lambda: sides() == (250, 330))
        # Behind each other they need less than there was.
        for name in ("results", "outputs", "exports"):
            toggle(name)
        ui.wait(lambda: sides() == (250, 330))
        for name in ("results", "outputs", "exports"):
            toggle(name)
        ui.wait(lambda: sides() == (250, 330))
        # One that has no more room takes it from them as long as it is there.
        content.setMinimumWidth(780)
        toggle("results")
        ui.wait(lambda: sides()[0] < 250 and sides()[1] <= 330)
        toggle("results")
        ui.wait(lambda: sides() == (250, 330))
        # What the user makes of it meanwhile stays.
        toggle("results")
        ui.wait(lambda: sides()[0] < 250)
        content.setMinimumWidth(100)
        window.resizeDocks([window.docks["chain"]], [400], Qt.Orientation.Horizontal)
        ui.wait(lambda: sides()[1] == 400)
        kept = sides()
        toggle("results")
        assert sides() == kept
        area.reset()
        ui.wait(lambda: sides() == (250, 330))
    finally:
        content.setMinimumWidth(0)
        area.reset()


def test_a_panel_comes_in_front_of_the_tabs_beside_it(ui):
    window, actions = ui.window, ui.window.actions_by_name
    bottom = [window.docks[name] for name in ("outputs", "playlist", "exports")]

    def seen() -> list[str]:
        return [dock.objectName() for dock in bottom if not dock.visibleRegion().isEmpty()]

    try:
        ui.play()
        ui.resize(900, 600)  # where they share one place
        for name in ("outputs", "playlist", "exports", "outputs"):
            actions[name].trigger()
            ui.wait(lambda name=name: seen() == [name])
            assert window.docks[name] in bottom and actions[name].isChecked()
        assert not any(
            dock.isHidden() for dock in bottom
        )  # the second press has brought it forward, not put it away
        window.dock_area.show("playlist")
        ui.wait(lambda: seen() == ["playlist"])
        actions["playlist"].trigger()
        assert window.docks["playlist"].isHidden() and not actions["playlist"].isChecked()
    finally:
        for dock in bottom:
            dock.hide()


def test_the_start_pages_buttons_stand_below_each_other_where_there_is_no_room(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    actions = {name: QAction(host) for name in ("open", "open_camera", "open_sample", "pick_look", "compare")}
    start = EmptyState(Themed(), actions)
    start.setParent(host)
    host.show()
    start.resize(start.minimumSizeHint())
    qtbot.waitUntil(lambda: start.open.y() > start.sample.y())
    start.resize(1000, 400)
    qtbot.waitUntil(lambda: start.open.y() == start.sample.y())


def test_a_small_window_gives_the_picture_most_of_itself(ui):
    ui.play()
    window = ui.window
    window.resize(1320, 820)
    ui.wait(lambda: window.width() == 1320 and window.docks["library"].isVisible())
    window.resize(900, 600)
    ui.wait(lambda: (window.width(), window.height()) == (900, 600))
    ui.wait(lambda: window.viewport.width() * window.viewport.height() > 0.5 * 900 * 600)
    left, chain = window.actions_by_name["left_panels"], window.actions_by_name["chain_panel"]
    assert not left.isChecked() and chain.isChecked()
    # What is folded away is one key away, and the search still finds it.
    window.dock_area.search("library")
    assert window.docks["library"].isVisible() and window.focusWidget() is library_of(window).search
    left.trigger()
    assert not window.docks["library"].isVisible()
    left.trigger()
    assert window.docks["library"].isVisible() and not window.docks["sources"].isVisible()
    chain.trigger()
    assert not window.docks["chain"].isVisible()
    chain.trigger()
    left.trigger()
    window.resize(1320, 820)
    ui.wait(lambda: window.width() == 1320)
    left.trigger()
    ui.wait(lambda: all(window.docks[name].isVisible() for name in ("library", "chain")))


def test_panels_that_were_folded_come_back_in_a_wide_window(ui):
    window = ui.window
    window.resize(1320, 820)
    ui.wait(lambda: window.width() == 1320 and window.docks["library"].isVisible())
    assert not window.docks["sources"].isVisible()
    window.resize(900, 600)
    ui.wait(lambda: not window.docks["library"].isVisible())
    window.resize(1320, 820)
    ui.wait(lambda: window.docks["library"].isVisible())
    assert not window.docks["sources"].isVisible()


@pytest.mark.skipif(sys.platform != "linux", reason="sets the scale through the environment of an X display")
def test_the_first_window_fits_the_screen_at_scale_2(tmp_path):
    """In a process of its own: the scale is fixed when the application is made."""
    code = (
        "from desktop.app import make_application, make_window, start_engine\n"
        "from desktop.ui.forms.settings import Settings\nfrom pathlib import Path\nimport sys\n"
        "app = make_application()\nsettings = Settings(Path(sys.argv[1]))\n"
        "engine = start_engine(None, settings.path)\nwindow = make_window(app, settings, engine)\n"
        "window.show()\napp.processEvents()\nroom = window.screen().availableGeometry()\n"
        "assert room.contains(window.geometry().translated(-window.x(), -window.y()).translated(room.topLeft())), "
        "(room, window.geometry())\n"
        "assert window.minimumSizeHint().width() <= room.width(), window.minimumSizeHint()\n"
        "print(window.devicePixelRatioF(), window.docks['library'].isVisible())\nwindow.close()\n"
    )
    environment = {**os.environ, "QT_SCALE_FACTOR": "2"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "settings.ini")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "2.0"


def test_a_message_hides_no_button(ui):
    header = ui.window.header
    buttons = [b for b in header.findChildren(QAbstractButton) if b.isVisible()]
    ui.window.show_message("Muted")
    assert header.said.text() == "Muted" and header.said.isVisible() and len(buttons) >= 2
    assert all(button.isVisible() for button in buttons)
    ui.wait(lambda: not header.said.text())


def test_full_screen_shows_its_controls_while_the_pointer_moves(ui):
    ui.play()
    window = ui.window
    controls, viewport = window.controls, window.viewport
    QTest.mouseMove(viewport, QPoint(40, 40))
    assert not controls.isVisible()
    ui.press(Qt.Key.Key_F)
    ui.wait(window.isFullScreen)
    assert not controls.isVisible() and not window.bar.isVisible()
    ui.wait(lambda: viewport.width() > 200)
    QTest.mouseMove(viewport, QPoint(80, 60))
    QTest.mouseMove(viewport, QPoint(90, 70))
    ui.wait(controls.isVisible)
    assert window.floor.rect().contains(controls.geometry())
    transport = controls.transport
    assert transport.line.isVisible() and transport.export.isVisible() and controls.looks.isVisible()
    QTest.mouseClick(transport.play, Qt.MouseButton.LeftButton)
    ui.wait(lambda: not ui.workspace.playback.is_playing)
    viewport.setFocus()
    QTest.mouseMove(viewport, QPoint(80, 60))
    ui.wait(lambda: not controls.isVisible())
    assert viewport.cursor().shape() == Qt.CursorShape.BlankCursor
    ui.press(Qt.Key.Key_Escape)
    ui.wait(lambda: not window.isFullScreen())
    assert viewport.cursor().shape() != Qt.CursorShape.BlankCursor and window.bar.isVisible()


def test_an_empty_window_offers_a_look_and_a_comparison(ui):
    window, workspace = ui.window, ui.workspace
    window.viewport.set_split(None)
    assert window.empty.look.isVisible() and window.empty.compare.isVisible()
    window.empty.look.click()
    ui.wait(lambda: workspace.playback.has_picture)
    library = library_of(window)
    assert {item.kind for item in library.model.items} == {"preset"} and library.view.isVisible()
    workspace.playback.stop()
    ui.wait(lambda: window.empty.compare.isVisible())
    window.empty.compare.click()
    ui.wait(lambda: workspace.playback.has_picture)
    assert window.viewport.view.split == 0.5 and ui.stages == [first_filter(workspace.adapter)[0]]
    window.viewport.set_split(None)


def test_the_first_hint_stays_until_it_was_followed(ui):
    workspace = ui.workspace
    workspace.settings.hinted = False
    ui.play()
    ui.window.hints.show_first_hint()
    assert any("pick a look" in text for text in ui.notices)
    workspace.edits.add_filter("sepia")
    ui.wait(lambda: not ui.notices)


def test_the_first_screen_has_few_controls(own_ui):
    # Its own window: a card that another test has switched off stays in the chain.
    ui = own_ui
    ui.play()
    ui.workspace.playback.set_speed(1.0)
    ui.window.notices.clear()
    window = ui.window
    window.dock_area.reset()
    window.resize(1320, 820)
    ui.wait(lambda: window.width() == 1320 and window.docks["library"].isVisible())
    name, values = first_filter(ui.workspace.adapter)
    ui.workspace.edits.add_filter(name, ui.workspace.library.get(name).check(values))
    ui.workspace.edits.edit(
        replace(ui.workspace.edits.setup, network=NetworkSpec(str(builtin_models()["classifier"].path))), "x"
    )
    ui.wait(lambda: chain_of(window).network.isVisible())
    ui.wait(lambda: any(card.expanded for card in chain_of(window).cards.values()))
    ui.workspace.settings.hinted = False
    window.hints.show_first_hint()
    ui.wait(lambda: any(button.text() == "Pick a look" for button in window.findChildren(QPushButton)))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.settle()
    kinds = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView)
    found = [
        widget
        for kind in (*kinds, QTabBar, QMenuBar, TimeLine)
        for widget in window.findChildren(kind)
        if widget.isVisible()
        and widget.isEnabled()
        and not widget.visibleRegion().isEmpty()
        # A dialog that another test has left is none of the screen's.
        and widget.window() is window
    ]
    # A menu bar, a row of tabs and a list count as one; so do a slider's scroll bars and a box's line.
    inner = (QScrollBar,)
    controls = {
        widget
        for widget in found
        if not isinstance(widget, inner)
        and not isinstance(widget.parent(), (QAbstractSpinBox, QTabBar, QLineEdit))
    }
    assert len(controls) <= 35, "\n".join(
        sorted(f"{type(w).__name__} {w.accessibleName()}" for w in controls)
    )
