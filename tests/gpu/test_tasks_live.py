"""A classifier in the pipeline: beside the picture, in slices, on every n-th picture, on both backends."""

from __future__ import annotations

import time

import numpy as np
import pytest
from test_pipeline import rgba_frame
from tiny_models import red_or_blue_model
from waiting import LIMIT_S

from desktop.base.errors import ModelError
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup


@pytest.fixture
def model(tmp_path):
    return red_or_blue_model(tmp_path / "color.onnx")


def flat(red, green, blue):
    picture = np.zeros((48, 64, 4), np.uint8)
    picture[:] = (red, green, blue, 255)
    return rgba_frame(picture)


def play_until_result(pipeline, frame, limit=200):
    """Render until the network has said something; return how many frames that took."""
    for count in range(1, limit):
        pipeline.render(frame if count == 1 else None)
        pipeline.drain()
        if pipeline.analyses.latest is not None:
            return count
    raise AssertionError("the network never answered")


def test_slices_give_what_a_whole_inference_gives(gpu, model):
    results = []
    for budget in (None, 1e-6):
        pipeline = Pipeline(gpu, FilterLibrary(None))
        pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(model), "wgpu", settings={"top": 3})))
        pipeline.network_budget_ms = budget
        count = play_until_result(pipeline, flat(20, 40, 230))
        assert (count == 1) == (budget is None), count
        results.append([(p.label, p.probability) for p in pipeline.analyses.latest.predictions])
        pipeline.close()
    assert results[0] == results[1]
    assert results[0][0][0] == "blue"


def test_a_sliced_network_keeps_the_frame_on_which_it_began(gpu, model):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(model), "wgpu")))
    pipeline.network_budget_ms = 1e-6
    pipeline.render(flat(255, 0, 0))
    pipeline.drain()
    while pipeline.analyses.latest is None:
        pipeline.render(flat(0, 0, 255))
        pipeline.network_budget_ms = 1e-6
        pipeline.drain()
    assert pipeline.analyses.latest.predictions[0].label == "red"
    pipeline.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_every_third_picture(gpu, model, backend):
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(model), backend, every=3)))
    seen = []
    for shade in range(6):
        pipeline.render(flat(255 if shade == 3 else 0, 0, 0 if shade == 3 else 255))
        end = time.perf_counter() + LIMIT_S
        while pipeline.analyses.current.pending and time.perf_counter() < end:
            pipeline.drain()
            time.sleep(0.001)
        pipeline.drain()
        seen.append(pipeline.analyses.latest.predictions[0].label)
    assert seen == ["blue", "blue", "blue", "red", "red", "red"]
    pipeline.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_network_keeps_its_figures_while_it_sits_pictures_out(gpu, model, backend):
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(model), backend, every=3)))
    for shade in range(5):
        pipeline.render(flat(shade, 0, 0))
        pipeline.await_analysis()
        pipeline.drain()
    stats = pipeline.stats
    assert [s.name for s in stats.stages] == ["upload", "color", "network"]
    # Two pictures of the five were looked at, the last was not. A GPU without timestamps cannot say how long
    # an inference took.
    knows = backend == "onnxruntime" or stats.timing_source == "GPU timestamps"
    assert (stats.network_ms is not None and stats.network_ms > 0) == knows
    assert stats.network_fps > 0
    pipeline.statistics.reset()
    assert (pipeline.stats.network_ms, pipeline.stats.network_fps) == (None, 0.0)
    pipeline.set_analysis(None)
    pipeline.render(flat(9, 0, 0))
    pipeline.drain()
    assert [s.name for s in pipeline.stats.stages] == ["upload", "color"]
    pipeline.close()


def test_engine_loads_beside_the_picture_and_says_why_it_failed(model, tmp_path):
    engine = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load)
    engine.current.set_setup(Setup(network=NetworkSpec(str(model))))
    assert engine.current.network_status.state == "loading"
    end = time.perf_counter() + LIMIT_S
    while engine.current.network_status.state == "loading" and time.perf_counter() < end:
        engine.render(flat(0, 255, 0))
        time.sleep(0.005)
    assert engine.current.network_status.state == "running"
    assert engine.gpu.adapter.is_software == (
        "onnxruntime" in engine.current.network_status.text.splitlines()[0]
    )
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    engine.current.set_setup(Setup(network=NetworkSpec(str(broken))))
    while engine.current.network_status.state == "loading" and time.perf_counter() < end:
        engine.render(None)
        time.sleep(0.005)
    assert engine.current.network_status.state == "failed"
    assert "broken.onnx" in engine.current.network_status.text
    engine.close()


def test_engine_with_wait_raises(model, tmp_path):
    engine = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load, wait=True)
    with pytest.raises(ModelError, match=r"missing\.onnx"):
        engine.current.set_setup(Setup(network=NetworkSpec(str(tmp_path / "missing.onnx"))))
    engine.current.set_setup(Setup(network=NetworkSpec(str(model), settings={"top": 1})))
    found = engine.analyze_frame(flat(0, 255, 0))
    assert [p.label for p in found.predictions] == ["green"]
    engine.close()
