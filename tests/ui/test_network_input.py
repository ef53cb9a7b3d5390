"""The panel of what the network sees: the very pixels, while it is seen, and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from tiny_models import red_or_blue_model, square_detector, squares
from window_panels import chain_of

from desktop.ui.features.network_input.input_panel import InputPanel


@pytest.fixture
def panel(ui, tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.window.actions_by_name["network_input"].trigger()
    panel = ui.window.dock_area.panel("network_input", InputPanel)
    ui.wait(panel.isVisible)
    yield panel
    if ui.window.dock_area.is_shown("network_input"):
        ui.window.actions_by_name["network_input"].trigger()


def pixels(image):
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3)


def test_it_shows_the_input_of_both_networks_while_it_is_seen(ui, panel, tmp_path):
    # The panel follows a moment after a test that had a network.
    ui.wait(lambda: panel.note.isVisible() and "No network" in panel.note.text())
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: panel.parts[0].isVisible() and panel.parts[0].picture.images)
    box = ui.workspace.engine.current.recent_inputs()[0].preprocess.box(128, 96)
    assert (box.target_width, box.target_height) == (64, 48)
    inner = pixels(panel.parts[0].picture.images[0])[box.target_y : box.target_y + 48]
    wanted = cv2.resize(squares(), (64, 48), interpolation=cv2.INTER_AREA)
    assert np.abs(inner.astype(int) - wanted).mean() < 2
    assert "squares.onnx" in panel.parts[0].text.text() and "undone" in panel.parts[0].text.text()
    assert not panel.parts[1].isVisible()

    chain_of(ui.window).network.second.use(str(red_or_blue_model(tmp_path / "colors.onnx")))
    ui.wait(lambda: panel.parts[1].isVisible() and len(panel.parts[1].picture.images) == 2)
    red, blue = (pixels(image).mean(axis=(0, 1)) for image in panel.parts[1].picture.images)
    assert red[0] > 5 * red[2] and blue[2] > 5 * blue[0]
    picture = panel.parts[1].picture
    for place in picture.places():
        assert picture.rect().toRectF().adjusted(-1, -1, 1, 1).contains(place)

    ui.workspace.edits.toggle_anonymize()
    ui.wait(lambda: panel.note.isVisible() and "Anonymize" in panel.note.text())
    assert not any(part.isVisible() for part in panel.parts), "it has what is hidden everywhere else"
    ui.workspace.edits.undo()
    ui.wait(lambda: panel.parts[0].isVisible())

    ui.window.actions_by_name["network_input"].trigger()
    ui.wait(lambda: not panel.isVisible())
    assert ui.workspace.engine.current.recent_inputs() == ()
