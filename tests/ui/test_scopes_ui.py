"""The panel of scopes and the color picker: what they show of a known picture, while they are seen, by
pointer and keys.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from losing import lose
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest

from desktop.pipeline.chain.spec import ChainSpec
from desktop.ui.features.scopes.scopes import Scopes, hex_of, hsv_of, value_text
from desktop.ui.features.scopes.scopes_panel import ScopesPanel

WIDTH, HEIGHT = 96, 64


def picture():
    """uint8 [h, w, 3] R, G, B: the left half one color, the right half noise."""
    made = np.random.default_rng(3).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    made[:, : WIDTH // 2] = (200, 100, 50)
    return made


def histogram(pixels):
    return np.array([np.bincount(pixels[..., c].ravel(), minlength=256) for c in range(3)])


@pytest.fixture
def panel(ui, tmp_path):
    path = tmp_path / "known.png"
    assert cv2.imwrite(str(path), picture()[..., ::-1])
    ui.play(str(path))
    ui.window.actions_by_name["scopes"].trigger()
    panel = ui.window.dock_area.panel("scopes", ScopesPanel)
    ui.wait(panel.isVisible)
    yield panel
    for kind, button in panel.buttons.items():
        if button.isChecked() != (kind in ("histogram", "waveform")):
            button.click()
    for button in (panel.picking, panel.magnifying):
        if button.isChecked():
            button.click()
    if ui.window.dock_area.is_shown("scopes"):
        ui.window.actions_by_name["scopes"].trigger()


def shows(panel, pixels, kind="histogram"):
    values = panel.views[kind].values
    return values is not None and (values.histogram[:3] == histogram(pixels)).all()


def choose(panel, row):
    """Choose an image by the keys of the closed list."""
    panel.image.setFocus()
    QTest.keyClick(panel.image, Qt.Key.Key_Home)
    for _ in range(row):
        QTest.keyClick(panel.image, Qt.Key.Key_Down)


def middle_of(ui, share):
    return ui.window.viewport.point_of(share).toPoint()


def counted(ui):
    """How often scopes were recorded."""
    spans = ui.workspace.engine.pipeline.statistics.spans
    return len(spans["scopes"][1].values) if "scopes" in spans else 0


def test_it_shows_the_source_the_result_and_what_a_stage_makes(ui, panel):
    ui.wait(lambda: shows(panel, picture()))
    ui.workspace.edits.edit_chain(ChainSpec().added("invert", {}).added("posterize", {"levels": 2}), "")
    ui.settle()
    assert [panel.image.itemText(row) for row in range(panel.image.count())] == [
        "Source", "Result", "After 1: Invert", "After 2: Posterize",
    ]  # fmt: skip
    ui.wait(
        lambda: (
            panel.views["histogram"].values
            and np.count_nonzero(panel.views["histogram"].values.histogram[0]) == 2
        )
    )
    choose(panel, 0)
    ui.wait(lambda: shows(panel, picture()))
    choose(panel, 2)
    ui.wait(lambda: shows(panel, 255 - picture()))
    # The stage is taken out: the result is shown again.
    ui.workspace.edits.remove_stage(ui.workspace.edits.chain.stages[0].id)
    assert panel.image.currentText() == "Result"
    ui.workspace.edits.remove_stage(ui.workspace.edits.chain.stages[0].id)
    ui.wait(lambda: shows(panel, picture()))


def test_scopes_are_chosen_by_keys_and_say_what_they_show(ui, panel):
    ui.activate()
    assert [view.isVisible() for view in panel.views.values()] == [True, True, False, False]
    for kind in ("parade", "vectorscope"):
        panel.buttons[kind].setFocus()
        QTest.keyClick(panel.buttons[kind], Qt.Key.Key_Return)
        ui.wait(lambda kind=kind: panel.views[kind].isVisible() and shows(panel, picture(), kind))
    ui.wait(lambda: panel.views["vectorscope"].values.vectorscope is not None)
    assert panel.views["vectorscope"].values.vectorscope.sum() == WIDTH * HEIGHT
    half = WIDTH // 2 * HEIGHT
    assert panel.views["parade"].values.waveform[0][100].sum() >= half, "red of the left half is 200"
    mean = picture()[..., 0].mean()
    ui.wait(lambda: f"R {mean:.1f}" in panel.summary.plain)
    assert "At 255" in panel.summary.plain
    for kind, name in (("histogram", "Histogram"), ("vectorscope", "Vectorscope")):
        interface = QAccessible.queryAccessibleInterface(panel.views[kind])
        assert interface.role() == QAccessible.Role.Chart
        assert interface.text(QAccessible.Text.Name) == name
        assert interface.text(QAccessible.Text.Description) == panel.summary.plain
    for button in panel.buttons.values():
        button.setChecked(True)
        button.click()
    ui.wait(lambda: panel.note.isVisible() and "No scope" in panel.note.text())
    assert ui.workspace.engine.current.scopes is None


def test_a_hidden_panel_costs_nothing(ui, panel):
    ui.wait(lambda: shows(panel, picture()))
    assert counted(ui) > 0
    ui.window.actions_by_name["scopes"].trigger()
    ui.wait(lambda: not panel.isVisible())
    assert ui.workspace.engine.current.scopes is None
    before, frames = counted(ui), ui.frames
    ui.play()
    ui.wait(lambda: ui.frames > frames + 5)
    assert counted(ui) == before
    ui.window.actions_by_name["scopes"].trigger()
    ui.wait(lambda: counted(ui) > before and ui.workspace.engine.current.scopes is not None)


def test_other_themes_have_other_colors(ui, panel):
    ui.wait(lambda: shows(panel, picture()))
    view, themed = panel.views["waveform"], ui.window.themed
    before, theme = view.grab().toImage(), themed.theme
    other = {"dark": "light", "light": "dark"}[theme.name]
    ui.window.actions_by_name[f"theme_{other}"].trigger()
    ui.wait(lambda: themed.theme.name == other)
    assert view.grab().toImage() != before
    ui.window.actions_by_name[f"theme_{theme.name}"].trigger()
    ui.wait(lambda: themed.theme.name == theme.name)
    assert view.grab().toImage() == before


def test_the_pointer_picks_colors_and_a_click_copies_one(ui, panel):
    ui.workspace.edits.edit_chain(ChainSpec().added("invert", {}), "")
    ui.settle()
    viewport = ui.window.viewport
    ui.window.actions_by_name["pick_color"].trigger()
    assert panel.picking.isChecked() and panel.color.isVisible()
    QTest.mouseMove(viewport, middle_of(ui, (0.25, 0.5)))
    ui.wait(lambda: "#C86432" in panel.color.texts[0].text() and "#379BCD" in panel.color.texts[1].text())
    assert (
        "RGB 200 100 50" in panel.color.texts[0].text() and "HSV 20° 75 % 78 %" in panel.color.texts[0].text()
    )
    assert panel.color.texts[0].accessibleName() == "Before"
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=middle_of(ui, (0.25, 0.5)))
    assert QGuiApplication.clipboard().text() == "#379BCD"
    # Beside the frame the pointer is the window's.
    shown = panel.color.texts[0].text()
    QTest.mouseMove(viewport, QPoint(1, 1))
    QTest.qWait(100)
    assert panel.color.texts[0].text() == shown
    ui.press(Qt.Key.Key_Escape)
    assert not panel.picking.isChecked() and not panel.color.isVisible()
    assert ui.workspace.engine.current.picked is None


def test_keys_pick_colors_too(ui, panel):
    panel.picking.setFocus()
    QTest.keyClick(panel.picking, Qt.Key.Key_Return)
    ui.wait(lambda: ui.workspace.engine.current.picked is not None)
    for _ in range(2):
        ui.press(Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    ui.press(Qt.Key.Key_Left)
    ui.wait(lambda: "#C86432" in panel.color.texts[1].text())
    assert ui.workspace.engine.current.picked.at[0] == (48 - 21 + 0.5) / WIDTH
    ui.press(Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == "#C86432"
    # The panel is hidden: the picker with it.
    ui.window.actions_by_name["scopes"].trigger()
    ui.wait(lambda: not panel.isVisible())
    assert not panel.picking.isChecked()
    assert ui.workspace.engine.current.picked is None


def test_the_source_of_a_redacted_picture_is_redacted(ui, panel):
    choose(panel, 0)
    ui.wait(lambda: shows(panel, picture()))
    ui.workspace.edits.toggle_anonymize()
    ui.wait(lambda: panel.views["histogram"].values is not None and not shows(panel, picture()))
    # No network is there to find anything: the whole frame is hidden.
    assert np.count_nonzero(panel.views["histogram"].values.histogram[0]) < 128
    ui.workspace.edits.undo()
    ui.wait(lambda: shows(panel, picture()))


def test_they_go_on_after_a_device_was_lost(ui, panel):
    ui.wait(lambda: shows(panel, picture()))
    engine, losses = ui.workspace.engine, ui.workspace.engine.losses
    old = panel.views["histogram"].values
    lose(engine.gpu)
    ui.wait(lambda: engine.losses == losses + 1)
    ui.wait(lambda: panel.views["histogram"].values is not old and shows(panel, picture()))


def test_colors_in_other_notations():
    assert hex_of((0.0, 0.5, 1.0)) == "#0080FF"
    assert hsv_of((0.0, 0.5, 1.0)) == (210, 100, 100)
    assert hsv_of((1.0, 0.0, 0.0001)) == (0, 100, 100) and hsv_of((0.5, 0.5, 0.5)) == (0, 0, 50)


def test_the_choice_of_scopes_is_remembered(ui, panel):
    settings = ui.workspace.settings
    panel.buttons["waveform"].click()
    panel.buttons["vectorscope"].click()
    choose(panel, 0)
    assert settings.scopes == ["histogram", "vectorscope", "source"]
    workspace = ui.workspace
    again = Scopes(
        workspace.engine, settings, workspace.messages, workspace.playback, workspace.edits, workspace
    )
    assert again.kinds == {"histogram", "vectorscope"} and again.point == "source"
    again.deleteLater()
    # A stage has no meaning in another session.
    workspace.edits.add_filter("invert")
    choose(panel, 2)
    assert settings.scopes == ["histogram", "vectorscope", "result"]
    panel.image.setFocus()
    choose(panel, 1)


def test_the_magnifier_shows_pixels_by_pointer_and_keys(ui, panel):
    ui.workspace.edits.edit_chain(ChainSpec().added("invert", {}), "")
    ui.settle()
    ui.window.actions_by_name["magnify"].trigger()
    assert panel.magnifying.isChecked() and panel.magnifier.isVisible()
    view, viewport = panel.magnifier, ui.window.viewport

    def shows_pixel(x, y, values):
        is_there = view.position.plain == f"Pixel {x}, {y} of {WIDTH} × {HEIGHT}"
        return is_there and view.values.plain == f"RGBA {values}"

    ui.wait(lambda: shows_pixel(48, 32, " ".join(map(str, (*(255 - picture()[32, 48]), 255)))))
    QTest.mouseMove(viewport, middle_of(ui, (24.5 / WIDTH, 0.5)))
    ui.wait(lambda: shows_pixel(24, 32, "55 155 205 255"))
    ui.press(Qt.Key.Key_Right)
    ui.press(Qt.Key.Key_Up)
    ui.wait(lambda: shows_pixel(25, 31, "55 155 205 255"))
    choose(panel, 0)
    ui.wait(lambda: shows_pixel(25, 31, "200 100 50 255"))
    choose(panel, 2)
    ui.wait(lambda: shows_pixel(25, 31, "55 155 205 255"))
    for notation, text in (("hex", "#379BCDFF"), ("shares", "0.2157 0.6079 0.8042 1.0000")):
        view.notation.setFocus()
        QTest.keyClick(view.notation, Qt.Key.Key_End if notation == "hex" else Qt.Key.Key_Up)
        ui.wait(lambda text=text: view.values.plain.startswith(f"RGBA {text[:5]}"))
    ui.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("0.215")
    assert view.squares.accessibleDescription().startswith("Pixel 25, 31")
    view.side.setFocus()
    QTest.keyClick(view.side, Qt.Key.Key_End)
    ui.wait(lambda: view.squares.pixels is not None and len(view.squares.pixels.pixels) == 16)
    shown = view.squares.grab().toImage()
    assert shown.pixelColor(20, 20).getRgb()[:3] == (55, 155, 205)
    ui.press(Qt.Key.Key_Escape)
    assert not panel.magnifying.isChecked() and not view.isVisible()
    assert ui.workspace.engine.current.magnified is None
    ui.workspace.get(Scopes).set_notation("codes")
    ui.workspace.get(Scopes).set_side(12)
    choose(panel, 1)


def test_values_in_each_notation():
    assert value_text((0.0, 0.5, 1.0, 1.0), "codes") == "0 128 255 255"
    assert value_text((-0.25, 1.5, float("nan"), 1.0), "codes") == "0 255 0 255"
    assert value_text((-0.25, 1.5, 0.0, 1.0), "shares") == "-0.2500 1.5000 0.0000 1.0000"
    assert value_text((-0.25, 1.5, 0.5, 1.0), "hex") == "#00FF80FF"
