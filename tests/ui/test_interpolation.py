"""Frame interpolation in the window: a network that is dropped makes frames between those of what plays; the
card, undo, presets.
"""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest
from interpolation_models import enlarging, two_and_time
from window_panels import chain_of

from desktop.pipeline.running.interpolation.spec import InterpolationSpec
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.workspace.viewport import Viewport


@pytest.fixture
def model(tmp_path):
    return two_and_time(tmp_path / "blend.onnx")


def gray(place):
    """The level at a place in frames, between two of them as well; neighbors are 16 apart."""
    return 40 + 16 * np.abs((place + 6) % 12 - 6)


@pytest.fixture
def film(tmp_path):
    """40 s of gray that rises and falls, 4 frames a second: slow enough for a busy machine."""
    path = tmp_path / "ramp.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=4)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for index in range(160):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), gray(index), np.uint8), format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, 4)
            container.mux(stream.encode(frame.reformat(format="yuv420p")))
        container.mux(stream.encode(None))
    return path


def status(ui):
    return ui.workspace.get(Interpolation).status


def is_made(ui):
    """Whether a frame is shown that is none of the film's: those are at quarters of a second."""
    return round(ui.workspace.engine.current.shown_pts * 4, 3) % 1 > 0.01


def test_a_dropped_network_makes_frames_between_those_that_play(ui, film, model):
    ui.play(str(film))
    ui.drop(model)
    ui.wait(lambda: ui.workspace.edits.setup.interpolation == InterpolationSpec(str(model)))
    ui.wait(lambda: status(ui).state == "running" and is_made(ui))
    assert status(ui).text.startswith("4 → 8 fps, ")
    card = chain_of(ui.window).card("interpolation")
    ui.wait(lambda: card.note.text().startswith("4 → 8 fps, "))
    assert card.isVisible() and card.power.isChecked()
    assert "is assumed to take R'G'B' in 0..1" in card.note.toolTip()
    card.change("rate", "4x")
    ui.wait(lambda: status(ui).text.startswith("4 → 16 fps, "))
    assert ui.workspace.edits.setup.interpolation.rate == "4x"
    card.power.click()
    assert ui.workspace.edits.setup.interpolation is None
    ui.wait(lambda: ui.workspace.playback.source.interpolation is None)
    ui.workspace.edits.undo()
    assert ui.workspace.edits.setup.interpolation.rate == "4x"
    ui.wait(lambda: status(ui).state == "running")


def test_what_is_shown_is_the_blend_of_its_neighbors(ui, film, model):
    ui.play(str(film))
    ui.drop(model)
    ui.wait(lambda: status(ui) is not None and status(ui).state == "running")
    ui.wait(lambda: is_made(ui))
    ui.pause()
    assert is_made(ui)
    shown = ui.picture()[..., :3].mean()
    assert shown == pytest.approx(gray(ui.workspace.engine.current.shown_pts * 4), abs=1.5)


def test_the_next_source_is_interpolated_too(ui, film, model):
    ui.drop(model)
    ui.wait(lambda: ui.workspace.edits.setup.interpolation is not None)
    ui.play(str(film))
    ui.wait(lambda: status(ui).state == "running")
    # The sample has no frames ahead: it is shown a part of an interval later, which is said.
    ui.play("sample:64x64@4")
    ui.wait(lambda: status(ui).state == "running" and status(ui).text.endswith("ms later"))


def test_a_network_that_does_not_fit_is_told_and_the_film_goes_on(ui, film, tmp_path):
    ui.play(str(film))
    ui.drop(enlarging(tmp_path / "large.onnx"))
    ui.wait(lambda: any("large.onnx gives a result of" in text for text in ui.notices))
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_another_device_goes_on_with_it(ui, film, model, backend):
    ui.play(str(film))
    ui.workspace.edits.set_interpolation(InterpolationSpec(str(model), backend=backend))
    ui.wait(lambda: status(ui) is not None and status(ui).state == "running" and is_made(ui))
    made = ui.workspace.playback.source.interpolation
    ui.workspace.engine.rebuild()
    assert ui.workspace.playback.source.interpolation is not made
    ui.wait(lambda: status(ui).state == "running" and is_made(ui))


def test_a_preset_keeps_it(ui, model, tmp_path):
    ui.drop(model)
    ui.wait(lambda: ui.workspace.edits.setup.interpolation is not None)
    chain_of(ui.window).card("interpolation").change("rate", "screen")
    save_preset(ui.workspace.edits.setup, ui.workspace.library, tmp_path / "smooth.toml")
    loaded = load_preset(tmp_path / "smooth.toml", ui.workspace.library)
    assert loaded.warnings == ()
    assert loaded.setup.interpolation == InterpolationSpec(str(model), "screen")
    served = InterpolationSpec("grpc://somewhere:8001/rife", "3x", "auto")
    save_preset(Setup(interpolation=served), ui.workspace.library, tmp_path / "served.toml")
    loaded = load_preset(tmp_path / "served.toml", ui.workspace.library)
    assert (loaded.warnings, loaded.setup.interpolation) == ((), served)
    ui.workspace.edits.set_interpolation(None)
    ui.drop(tmp_path / "smooth.toml")
    ui.wait(lambda: ui.workspace.edits.setup.interpolation == InterpolationSpec(str(model), "screen"))


def test_the_screen_is_the_one_on_which_the_window_is(ui, monkeypatch):
    """The main screen may be another one, with another rate."""

    class Screen:
        @staticmethod
        def refreshRate() -> float:
            return 144.0

    interpolation = ui.workspace.get(Interpolation)
    interpolation.poll()
    assert interpolation.screen_rate == ui.window.screen().refreshRate()
    with monkeypatch.context() as patch:
        patch.setattr(Viewport, "screen", lambda _: Screen)
        interpolation.poll()
        assert interpolation.screen_rate == 144.0
    interpolation.poll()
