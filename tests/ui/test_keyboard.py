"""Everything can be done by keys alone, and where the focus is can be seen. Only key events are sent."""

from __future__ import annotations

import av
import cv2
import numpy as np
import pytest
from dialog_rig import chosen_paths
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLayout,
    QLineEdit,
    QScrollBar,
    QStackedLayout,
    QTabBar,
    QWidget,
)
from window_panels import chain_of, library_of, networks_of

from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms.card import FoldingCard
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit.widgets import tab_stops

Key, Mod = Qt.Key, Qt.KeyboardModifier


@pytest.fixture(autouse=True)
def active(ui):
    ui.activate()
    ui.window.setFocus()


def press(key: Key, modifiers: Mod = Mod.NoModifier) -> None:
    """Press a key where the focus is, as a keyboard does."""
    target = QApplication.focusWidget() or QApplication.activeWindow()
    assert target is not None, "no window is active"  # Qt would end the process
    QTest.keyClick(target, key, modifiers)


def write(text: str) -> None:
    QTest.keyClicks(QApplication.focusWidget(), text)


def add(ui, title: str) -> None:
    press(Key.Key_F, Mod.ControlModifier)
    assert library_of(ui.window).search.hasFocus()
    write(title)
    press(Key.Key_Return)
    QTest.qWait(50)  # until the card is laid out


def walk_to(condition, forward: bool = True) -> QWidget:
    """Press Tab until the focus is where a condition is true."""
    passed = []
    for _ in range(200):
        press(Key.Key_Tab if forward else Key.Key_Backtab)
        focused = QApplication.focusWidget()
        passed.append(f"{type(focused).__name__} {focused.accessibleName() if focused is not None else ''}")
        if focused is not None and condition(focused):
            return focused
    raise AssertionError(f"Tab leads to {passed[:80]}")


def card_of(widget: QWidget) -> StageCard | None:
    while widget is not None and not isinstance(widget, StageCard):
        widget = widget.parentWidget()
    return widget


def test_add_order_and_set_filters(ui):
    add(ui, "vignette")
    ui.window.setFocus()
    add(ui, "bloom")
    assert ui.stages == ["vignette", "bloom"]
    card = walk_to(lambda w: isinstance(w, StageCard) and w.spec.filter == "bloom")
    press(Key.Key_Up, Mod.AltModifier)
    assert ui.stages == ["bloom", "vignette"]
    card = QApplication.focusWidget()
    assert isinstance(card, StageCard) and card.spec.filter == "bloom", "the focus moves with the card"
    press(Key.Key_X)
    assert not ui.workspace.edits.chain.stages[0].enabled
    press(Key.Key_X)
    if not card.expanded:
        press(Key.Key_Return)
    assert card.expanded
    slider = card.editors["intensity"].slider
    walk_to(lambda w: w is slider)
    before = ui.workspace.edits.chain.stages[0].values["intensity"]
    press(Key.Key_Right)
    assert ui.workspace.edits.chain.stages[0].values["intensity"] > before
    for control in (slider, card.editors["intensity"].spin):
        walk_to(lambda w, control=control: w is control)
        before = ui.workspace.edits.chain.stages[0].values["intensity"]
        press(Key.Key_Down, Mod.AltModifier)
        assert ui.stages == ["vignette", "bloom"], "the card moves from within, too"
        press(Key.Key_Up, Mod.AltModifier)
        assert ui.stages == ["bloom", "vignette"]
        assert ui.workspace.edits.chain.stages[0].values["intensity"] == before
    walk_to(lambda w: w is card.editors["intensity"].spin)
    press(Key.Key_A, Mod.ControlModifier)
    write("2")
    press(Key.Key_Return)
    assert ui.workspace.edits.chain.stages[0].values["intensity"] == 2
    walk_to(lambda w: isinstance(w, StageCard) and w.spec.filter == "bloom", forward=False)
    press(Key.Key_Delete)
    assert ui.stages == ["vignette"]
    press(Key.Key_Z, Mod.ControlModifier)
    assert ui.stages == ["bloom", "vignette"]


@pytest.mark.parametrize("action", ["search", "networks"])
def test_escape_empties_a_search_then_leaves_it(ui, action):
    ui.window.actions_by_name[action].trigger()
    search = QApplication.focusWidget()
    write("b")  # the line of before and after, if it were not typed
    press(Key.Key_Escape)
    assert search.hasFocus() and search.text() == ""
    press(Key.Key_Escape)
    assert ui.window.focusWidget() in (ui.window.viewport, ui.window)
    split = ui.window.viewport.view.split
    press(Key.Key_B)
    assert ui.window.viewport.view.split != split
    press(Key.Key_B)
    networks_of(ui.window).leave()


def test_escape_leaves_a_number(ui):
    add(ui, "bloom")
    [card] = chain_of(ui.window).cards.values()
    if not card.expanded:
        walk_to(lambda w: w is card)
        press(Key.Key_Return)
    walk_to(lambda w: w is card.editors["intensity"].spin)
    press(Key.Key_Escape)
    assert ui.window.focusWidget() in (ui.window.viewport, ui.window)


def test_open_a_file_and_what_was_opened_lately(ui, tmp_path):
    path = tmp_path / "red.png"
    cv2.imwrite(str(path), np.full((32, 48, 3), (0, 0, 255), np.uint8))
    with chosen_paths(path):
        press(Key.Key_O, Mod.ControlModifier)
    ui.wait(lambda: ui.workspace.playback.name == str(path) and ui.workspace.engine.pipeline.has_picture)
    ui.activate()  # the dialog may still be the active window
    press(Key.Key_W, Mod.ControlModifier)
    ui.wait(lambda: ui.workspace.playback.source is None)
    press(Key.Key_K, Mod.ControlModifier)
    ui.wait(lambda: QApplication.activePopupWidget() is not None)
    palette = QApplication.activePopupWidget()
    QTest.keyClicks(palette.search, "open red.png")
    QTest.keyClick(palette.search, Key.Key_Return)
    ui.wait(lambda: ui.workspace.playback.name == str(path))


def test_an_address_is_typed(ui, tmp_path):
    path = tmp_path / "red.png"
    cv2.imwrite(str(path), np.full((32, 48, 3), (0, 0, 255), np.uint8))
    press(Key.Key_U, Mod.ControlModifier)
    ui.wait(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert dialog.width() >= 400, "an address is longer than the label"
    ui.wait(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    write(f" {path} ")
    press(Key.Key_Return)
    ui.wait(lambda: ui.workspace.playback.name == str(path))


def test_start_page_by_keys(ui):
    walk_to(lambda w: w is ui.window.empty.sample)
    press(Key.Key_Space)
    ui.wait(lambda: ui.workspace.engine.pipeline.has_picture)


def test_snapshot_and_recording(ui, tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PICTURES", str(tmp_path))
    ui.play()
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (128, 72))
    press(Key.Key_S)
    ui.wait(lambda: any("Snapshot saved" in text for text in ui.notices))
    (picture,) = (tmp_path / "Lightloom").glob("*.png")
    assert cv2.imread(str(picture)).shape == (72, 128, 3)
    press(Key.Key_R, Mod.ControlModifier)
    assert ui.workspace.get(Pictures).recording is not None
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 5)
    press(Key.Key_R, Mod.ControlModifier)
    ui.wait(lambda: any("Recording saved" in text for text in ui.notices))
    (video,) = (tmp_path / "Lightloom").glob("*.mp4")
    with av.open(str(video)) as container:
        assert next(container.decode(video=0)).width == 128


def test_a_network_is_used_by_keys(ui):
    press(Key.Key_M, Mod.ControlModifier | Mod.ShiftModifier)
    ui.wait(lambda: networks_of(ui.window).keys and library_of(ui.window).search.hasFocus())
    write("classifier")
    press(Key.Key_Return)
    ui.wait(lambda: ui.workspace.edits.setup.network is not None)
    assert ui.workspace.edits.setup.network.model.endswith("classifier.onnx")
    networks_of(ui.window).leave()


# What the line or the list around it does by a key of its own.
BY_ANOTHER = ("Clear the text",)
CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView)


def controls_of(root: QWidget) -> set[QWidget]:
    """Return what can be used by the pointer now, but scroll bars and what belongs to another control."""
    found = {w for w in root.findChildren(QWidget) if isinstance(w, CONTROLS) and w.isEnabled()}
    found = {w for w in found if not w.visibleRegion().isEmpty() and w.window() is root}
    found -= {w for w in found if isinstance(w, QScrollBar) or w.accessibleName() in BY_ANOTHER}
    # A card opens and closes with Enter.
    found -= {card.expander for card in root.findChildren(FoldingCard)}
    inner = (QLineEdit, QAbstractSpinBox, QComboBox, QTabBar)
    return {w for w in found if not isinstance(w.parentWidget(), inner)}


def test_tab_goes_through_all_controls_and_comes_back(ui):
    for name in ("bloom", "vignette"):
        ui.workspace.edits.add_filter(name)
    ui.play()
    ui.pause()
    for card in chain_of(ui.window).findChildren(StageCard):
        card.set_expanded(True)
    QTest.qWait(50)
    wanted, passed = controls_of(ui.window), []
    assert len(wanted) > 20
    first = walk_to(lambda w: w is ui.window.viewport)
    while not passed or QApplication.focusWidget() is not first:
        press(Key.Key_Tab)
        assert QApplication.focusWidget() not in passed, "Tab does not leave these"
        passed.append(QApplication.focusWidget())
    left_out = [f"{type(w).__name__} {w.accessibleName()}" for w in wanted - set(passed)]
    assert left_out == []
    back = []
    while not back or QApplication.focusWidget() is not first:
        press(Key.Key_Backtab)
        back.append(QApplication.focusWidget())
    assert back == [*reversed(passed[:-1]), first]


def test_the_line_between_before_and_after_is_moved(ui):
    ui.play()
    press(Key.Key_B)
    assert ui.window.viewport.view.split == 0.5
    press(Key.Key_Right, Mod.AltModifier)
    assert ui.window.viewport.view.split > 0.5
    press(Key.Key_Left, Mod.AltModifier)
    press(Key.Key_Left, Mod.AltModifier)
    assert ui.window.viewport.view.split < 0.5
    press(Key.Key_B)
    assert ui.window.viewport.view.split is None


def luminance(image: QImage) -> np.ndarray:
    """The relative luminance of WCAG of each pixel."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[..., :3] / 255
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.0722, 0.7152, 0.2126])


def strongest_changes(before: QImage, after: QImage) -> int:
    """Return how many pixels have changed by the contrast that WCAG 2.2 wants of a focus, 3:1."""
    one, other = luminance(before) + 0.05, luminance(after) + 0.05
    return int((np.maximum(one, other) / np.minimum(one, other) >= 3.0).sum())


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_focus_can_be_seen(ui, theme):
    ui.workspace.settings.theme = theme
    for name in ("bloom", "background"):
        ui.workspace.edits.add_filter(name)
    ui.play()
    ui.pause()
    for card in chain_of(ui.window).findChildren(StageCard):
        card.set_expanded(True)
    QTest.qWait(50)
    # The picture itself is a native window with no frame: what is typed there works everywhere in the window.
    stops = [w for w in tab_stops(ui.window) if w is not ui.window.viewport]
    assert len(stops) > 20
    unseen = []
    for stop in stops:
        ui.window.viewport.setFocus()
        before = stop.grab().toImage()
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        # As long as the shorter sides of a small control.
        if stop.hasFocus() and (changed := strongest_changes(before, stop.grab().toImage())) < 24:
            unseen.append(f"{type(stop).__name__} {stop.accessibleName()}: {changed}")
    assert unseen == [], "\n".join(unseen)


def test_looking_for_stops_makes_no_items_of_layouts(ui, monkeypatch):
    """PySide keeps the wrapper of an item when the item is gone, and gives it for whatever comes to lie
    there.
    """
    asked = []
    for kind in (QLayout, QBoxLayout, QFormLayout, QGridLayout, QStackedLayout):
        monkeypatch.setattr(kind, "itemAt", lambda *_: asked.append(_))
    assert len(list(tab_stops(ui.window))) > 10
    assert not asked
