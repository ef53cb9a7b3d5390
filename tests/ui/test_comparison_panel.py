"""The panel that compares two backends on what plays: begun from the card, shown in figures, ended with the
panel.
"""

from __future__ import annotations

import threading

import cv2
from tiny_models import square_detector, squares
from window_panels import chain_of, choose_in_menu

from desktop.base.significance import difference_of
from desktop.ui.features.comparison.comparison_panel import ComparisonPanel


def test_two_backends_are_compared_on_what_plays(ui, tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    card = chain_of(ui.window).network
    choose_in_menu(card, "Compare backends...")
    panel = ui.window.dock_area.panel("comparison", ComparisonPanel)
    ui.wait(panel.isVisible)
    ui.wait(lambda: "Choose two ways" in panel.note.text())
    panel.begin.click()
    ui.wait(lambda: "image" in panel.figures.text())
    first, second = (label.text() for label in panel.said)
    assert first.startswith("onnxruntime") and second.startswith("wgpu")
    assert first.splitlines()[1:] == second.splitlines()[1:] and len(first.splitlines()) == 3
    assert "In both: 2, IoU 1.000; in one alone: 0" in panel.figures.text()
    for second, said in (
        (20.0, "The second is slower: 100.0 to 100.0 %."),
        (10.0, "No difference in time: 0.0 to 0.0 %."),
    ):
        assert panel._difference_text(difference_of([10.0] * 20, [second] * 20)) == said

    assert panel.begin.text() == "Stop"
    # Another device is left before it goes, and the comparison goes on with the new one.
    old = panel.running
    ui.workspace.engine.rebuild()
    ui.wait(lambda: panel.running is not old and panel.running.gpu is ui.workspace.engine.gpu)
    assert old.stop()
    ui.wait(lambda: panel.figures.text())

    # Other ways are taken up at once.
    before = panel.running
    panel.choices[0].backend.setCurrentIndex(panel.choices[0].backend.findData("wgpu"))
    ui.wait(lambda: panel.running is not None and panel.running is not before)
    ui.wait(lambda: panel.said[0].text().startswith("wgpu"))

    ui.window.actions_by_name["comparison"].trigger()
    ui.wait(lambda: not panel.isVisible())
    assert panel.running is None and not panel.begin.isChecked()
    card.advanced.setChecked(False)
    panel.shutdown()


class Held:
    """A comparison whose first picture takes until the test lets it."""

    may_end = threading.Event()
    descriptions = ("one", "other")
    totals = None

    def __init__(self, *_):
        pass

    def compare(self, frame, check):
        while not self.may_end.wait(0.01):
            check()
        return

    def close(self):
        pass


def test_while_the_first_picture_is_computed_it_says_so(ui, tmp_path, monkeypatch):
    monkeypatch.setattr("desktop.pipeline.running.compare.live_comparison.Comparison", Held)
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: ui.workspace.edits.setup.network is not None)
    ui.window.actions_by_name["comparison"].trigger()
    panel = ui.window.dock_area.panel("comparison", ComparisonPanel)
    ui.wait(panel.isVisible)
    panel.begin.click()
    ui.wait(lambda: panel.note.text() == "Waiting for an image...")
    ui.play(str(path))
    ui.wait(lambda: "compute" in panel.note.text())
    panel.begin.click()
    panel.shutdown()
    ui.window.actions_by_name["comparison"].trigger()
