"""Results on their way through the engine: each becomes a sighting, in order, with the identities of those
before it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tiny_models import square_detector, squares

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TrackSpec

TRACKED = SceneSpec(track=TrackSpec())


def picture(pts: float, left: int = 48) -> Frame:
    """The red square alone, as far to the right as is said."""
    pixels = np.zeros((96, 128, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[32:48, left : left + 16, 0] = 255
    plane = Plane(pixels.tobytes(), 128 * 4, 128, 96)
    return Frame((plane,), RGBA, 128, 96, ColorInfo("rgb", "full", "srgb", "bt709"), pts=pts)


@pytest.fixture(params=["wgpu", "onnxruntime"])
def engine(request, tmp_path) -> Iterator[Engine]:
    model = square_detector(tmp_path / "squares.onnx")
    made = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load, wait=True, in_flight=1)
    made.current.set_setup(Setup(network=NetworkSpec(str(model), request.param), scene=TRACKED))
    yield made
    made.close()


def look(engine: Engine, *pictures: Frame) -> list[tuple[float, tuple[int | None, ...]]]:
    told = []
    for frame in pictures:
        result = engine.analyze_frame(frame)
        tracked_result = engine.current.tracked_result
        assert tracked_result.result is result and engine.current.snapshot().tracked_result is tracked_result
        assert tracked_result.size == (128, 96)
        told.append((tracked_result.pts, tracked_result.identities))
    return told


def test_identities_go_from_picture_to_picture_until_a_cut(engine):
    heard = []
    engine.on_tracked_result.append(heard.append)
    assert look(engine, picture(0.0), picture(0.1), picture(0.2)) == [(0.0, (1,)), (0.1, (1,)), (0.2, (1,))]
    assert [tracked_result.pts for tracked_result in heard] == [0.0, 0.1, 0.2]
    engine.current.cut()
    assert look(engine, picture(0.3))[0][1] == (2,)
    engine.current.clear_source_state()
    assert engine.current.tracked_result is None and engine.current.snapshot().tracked_result is None
    assert look(engine, picture(0.4))[0][1] == (3,)
    assert look(engine, picture(0.0))[0][1] == (4,), "a loop begins anew"
    assert [tracked_result.pts for tracked_result in heard][3:] == [0.3, 0.4, 0.0]


def test_what_is_followed_can_change_while_the_network_runs(engine):
    running = engine.pipeline.analyses.current
    assert look(engine, picture(0.0))[0][1] == (1,)
    engine.current.set_setup(Setup(network=engine.current.setup.network))
    assert look(engine, picture(0.1))[0][1] == (None,)
    engine.current.set_setup(Setup(network=engine.current.setup.network, scene=TRACKED))
    assert look(engine, picture(0.2))[0][1] == (2,)
    engine.current.set_setup(
        Setup(network=engine.current.setup.network, scene=SceneSpec(track=TrackSpec(remember=9.0)))
    )
    assert look(engine, picture(0.3))[0][1] == (2,)
    assert engine.pipeline.analyses.current is running


def test_a_new_device_and_another_network_begin_anew_and_use_no_number_again(engine):
    assert look(engine, picture(0.0))[0][1] == (1,)
    engine.rebuild()
    assert look(engine, picture(0.1))[0][1] == (2,)
    spec = engine.current.setup.network
    engine.current.set_setup(
        Setup(network=NetworkSpec(spec.model, spec.backend, precision="fp32"), scene=TRACKED)
    )
    assert look(engine, picture(0.2))[0][1] == (3,)


def test_two_squares_have_two_numbers(engine):
    pixels = np.dstack((squares(), np.full((96, 128), 255, np.uint8)))
    plane = Plane(pixels.tobytes(), 128 * 4, 128, 96)
    both = Frame((plane,), RGBA, 128, 96, ColorInfo("rgb", "full", "srgb", "bt709"), pts=0.0)
    assert look(engine, both) == [(0.0, (1, 2))]
    labels = {shape.identity: shape.label for shape in engine.current.tracked_result.shapes}
    assert labels == {1: "red", 2: "blue"}
