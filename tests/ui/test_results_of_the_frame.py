"""Results stay with their frame: at the end of a video, at a pause, on another source."""

from __future__ import annotations

from fractions import Fraction

import av
import cv2
import numpy as np
import pytest
from tiny_models import square_detector, squares

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.networks.networks import Networks

# A step of the detector's own cells.
_FRAMES, _STEP = 24, 16


def frame_at(index: int) -> np.ndarray:
    """The two squares, moved to the left from frame to frame; uint8 [96, 128, 3]."""
    return np.roll(squares(), -_STEP * index, axis=1)


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "moving.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=Fraction(24))
        stream.width, stream.height, stream.pix_fmt = 128, 96, "bgr0"
        for index in range(_FRAMES):
            frame = av.VideoFrame.from_ndarray(frame_at(index), "rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


@pytest.fixture
def every_seventh(tmp_path):
    """A detector that leaves out six of seven pictures, as a slow one would."""
    return NetworkSpec(str(square_detector(tmp_path / "squares.onnx")), every=7)


def lefts(tracked_result) -> list[int]:
    """Where the boxes begin, in pixels of the picture."""
    return [round(shape.left * 128) for shape in tracked_result.shapes]


def is_of_shown(ui):
    engine = ui.workspace.engine
    return (
        engine.current.tracked_result is not None
        and engine.current.tracked_result.pts == engine.current.shown_pts
    )


def test_at_its_end_a_video_has_the_last_frames_result(ui, clip, every_seventh):
    ui.play(str(clip))
    ui.workspace.get(Networks).choose(every_seventh)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: ui.workspace.playback.source.state == "ended")
    engine = ui.workspace.engine
    ui.wait(lambda: abs(engine.current.shown_pts - (_FRAMES - 1) / 24) < 1e-3 and is_of_shown(ui))
    ui.wait(lambda: len(engine.current.tracked_result.shapes) == 2)
    moved = [(left - _STEP * (_FRAMES - 1)) % 128 for left in (48, 96)]
    assert sorted(lefts(engine.current.tracked_result)) == pytest.approx(sorted(moved), abs=1)
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)


def test_at_a_pause_and_a_step_it_is_of_the_frame_on_screen(ui, clip, every_seventh):
    ui.play(str(clip))
    ui.workspace.playback.toggle_loop()
    ui.workspace.get(Networks).choose(every_seventh)
    ui.wait(lambda: ui.workspace.engine.current.tracked_result is not None)
    ui.pause()
    ui.wait(lambda: is_of_shown(ui))
    before = ui.workspace.engine.current.shown_pts
    ui.workspace.playback.seek(0.5 if before < 0.4 else 0.2)
    ui.wait(lambda: ui.workspace.engine.current.shown_pts != before and is_of_shown(ui))


def test_another_source_shows_nothing_of_the_one_before(ui, clip, every_seventh, tmp_path):
    ui.play(str(clip))
    ui.workspace.get(Networks).choose(every_seventh)
    ui.wait(lambda: ui.workspace.engine.current.tracked_result is not None)
    empty = tmp_path / "empty.png"
    assert cv2.imwrite(str(empty), np.zeros((96, 128, 3), np.uint8))
    seen = []
    engine = ui.workspace.engine

    def opened(_):
        seen.append(engine.current.result)
        ui.window.viewport.drawn.connect(drawn)

    def drawn():
        seen.append(engine.current.result)

    ui.workspace.playback.opened.connect(opened)
    ui.play(str(empty))
    ui.workspace.playback.opened.disconnect(opened)
    ui.wait(lambda: engine.current.tracked_result is not None)
    ui.window.viewport.drawn.disconnect(drawn)
    assert len(seen) > 1 and seen[0] is None
    assert all(result is None or not result.shapes() for result in seen)
    ui.workspace.playback.stop()
    assert engine.current.tracked_result is None and engine.current.result is None
