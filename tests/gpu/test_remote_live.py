"""A network on a server in the pipeline: the picture goes on whatever becomes of the server, and results come
back by themselves.
"""

from __future__ import annotations

import itertools
import socket
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from inference_rig import InferenceServer, Network, free_port
from test_pipeline import rgba_frame
from tiny_models import red_or_blue_model, square_detector
from waiting import LIMIT_S

from desktop.base.errors import ModelError
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup
from desktop.vision.backends._remote_session import RemoteSession
from desktop.vision.tracking.anonymize import AnonymizeSpec
from desktop.vision.tracking.hidden_area import FULL_FRAME


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr("desktop.net.inference.breaker._FIRST_S", 0.05)
    monkeypatch.setattr("desktop.net.inference.breaker._LONGEST_S", 0.1)


@pytest.fixture
def engine():
    made = Engine(Gpu.open, FilterLibrary(None), load_analysis)
    yield made
    made.close()


def flat(red, green, blue):
    picture = np.zeros((48, 64, 4), np.uint8)
    picture[:] = (red, green, blue, 255)
    return rgba_frame(picture)


def goes_on(engine, condition):
    """Play pictures until something is so; each of them must be rendered."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        frames = engine.pipeline.stats.frames
        assert engine.render(flat(250, 10, 10))
        engine.pipeline.drain()
        assert engine.pipeline.stats.frames == frames + 1
        engine.poll()


def state(engine):
    return engine.current.network_status.state


@pytest.mark.parametrize("fault", ["stall", "lie", "huge", "error", "killed"])
@pytest.mark.parametrize("way", ["http", "grpc"])
def test_the_picture_goes_on_and_results_come_back(engine, tmp_path, monkeypatch, way, fault):
    network = Network.of_onnx(red_or_blue_model(tmp_path / "colors.onnx"))
    server = InferenceServer(network, port=free_port() if fault == "killed" else 0)
    port = server.http_port
    if way == "grpc" and fault == "killed":
        pytest.skip("the rig's gRPC side has no port of choice")
    monkeypatch.setattr(RemoteSession, "timeout_s", 2.0)
    try:
        engine.current.set_setup(Setup(network=NetworkSpec(getattr(server, way))))
        goes_on(engine, lambda: engine.pipeline.analyses.latest is not None)
        assert state(engine) == "running" and "remote on localhost" in engine.current.network_status.text
        assert engine.current.snapshot().calls
        if fault == "killed":
            server.close()
        server.fault = fault
        goes_on(engine, lambda: state(engine) == "away")
        assert "The request is repeated automatically" in engine.current.network_status.text
        assert engine.current.network_status.features is not None
        if fault == "killed":
            server = InferenceServer(network, port=port)
        server.fault = ""
        monkeypatch.setattr(RemoteSession, "timeout_s", 20.0)
        before = engine.pipeline.analyses.latest
        goes_on(engine, lambda: state(engine) == "running" and engine.pipeline.analyses.latest is not before)
        assert engine.pipeline.analyses.error is None
        server.fault = "stall"
        goes_on(engine, lambda: server.inferences > 0)
        engine.current.set_setup(Setup())  # nothing waits for the server here either
        goes_on(engine, lambda: state(engine) == "none")
    finally:
        server.close()


def test_a_server_that_is_not_there_is_a_sentence(engine):
    engine.current.set_setup(Setup(network=NetworkSpec(f"grpc://localhost:{free_port()}/net")))
    goes_on(engine, lambda: state(engine) == "failed")
    assert "cannot be had from localhost" in engine.current.network_status.text


def test_batch_work_leaves_nothing_out(tmp_path):
    server = InferenceServer(Network.of_onnx(red_or_blue_model(tmp_path / "colors.onnx")))
    engine = Engine(Gpu.open, FilterLibrary(None), load_analysis, wait=True, in_flight=1)
    try:
        engine.current.set_setup(Setup(network=NetworkSpec(server.http)))
        assert engine.analyze_frame(flat(250, 10, 10)).predictions[0].label == "class 0"
        server.fault = "error"
        with pytest.raises(ModelError, match="broke"):
            engine.analyze_frame(flat(250, 10, 10))
    finally:
        engine.close()
        server.close()


@pytest.mark.parametrize("hides", [False, True])
def test_batch_work_continues_without_a_server(tmp_path, monkeypatch, hides):
    """Each frame is rendered at once; what is to be hidden stays hidden without a result."""
    network = Network.of_onnx(square_detector(tmp_path / "squares.onnx"))
    server = InferenceServer(network, port=free_port())
    port = server.http_port
    engine = Engine(
        Gpu.open, FilterLibrary(None), load_analysis, wait=True, in_flight=1, continues_without_server=True
    )
    hidden = AnonymizeSpec(classes=()) if hides else None
    numbers = itertools.count()

    def play():
        began = time.monotonic()
        engine.render(replace(flat(250, 10, 10), pts=next(numbers) / 10))
        engine.await_result()
        assert time.monotonic() - began < LIMIT_S / 2

    def play_until(condition):
        end = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < end
            play()

    try:
        engine.current.set_setup(Setup(network=NetworkSpec(server.http), anonymize=hidden))
        play_until(lambda: engine.pipeline.analyses.latest is not None)
        server.close()
        play_until(lambda: state(engine) == "away")
        for _ in range(5):
            play()
            assert engine.pipeline.analyses.latest is None
            assert engine.pipeline.hidden == ((FULL_FRAME,) if hides else None)
        server = InferenceServer(network, port=port)
        play_until(lambda: engine.pipeline.analyses.latest is not None and state(engine) == "running")
        assert engine.pipeline.analyses.error is None
    finally:
        engine.close()
        server.close()


@pytest.mark.parametrize("begin_anew", [True, False])
def test_batch_work_waits_for_a_server_that_comes_back(tmp_path, monkeypatch, begin_anew):
    monkeypatch.setattr("desktop.pipeline.running.caller._PATIENCE_S", 60.0 if begin_anew else 0.2)
    network = Network.of_onnx(red_or_blue_model(tmp_path / "colors.onnx"))
    server = InferenceServer(network, port=free_port())
    port = server.http_port
    engine = Engine(Gpu.open, FilterLibrary(None), load_analysis, wait=True, in_flight=1)
    try:
        engine.current.set_setup(Setup(network=NetworkSpec(server.http)))
        assert engine.analyze_frame(flat(250, 10, 10)).predictions[0].label == "class 0"
        server.close()
        if not begin_anew:
            with pytest.raises(ModelError, match="see that the server runs"):
                engine.analyze_frame(flat(250, 10, 10))
            return
        back: list[InferenceServer] = []
        timer = threading.Timer(1.0, lambda: back.append(InferenceServer(network, port=port)))
        timer.start()
        assert engine.analyze_frame(flat(10, 10, 250)).predictions[0].label == "class 2"
        timer.join()
        server = back[0]
    finally:
        engine.close()
        server.close()


def test_a_second_network_on_a_server(engine, tmp_path):
    detector = square_detector(tmp_path / "squares.onnx")
    server = InferenceServer(Network.of_onnx(red_or_blue_model(tmp_path / "colors.onnx")))
    try:
        engine.current.set_setup(Setup(network=NetworkSpec(str(detector), second=NetworkSpec(server.http))))
        goes_on(
            engine,
            lambda: engine.pipeline.analyses.latest is not None and engine.pipeline.analyses.latest.objects,
        )
        server.fault = "error"
        goes_on(engine, lambda: state(engine) == "away")
        server.fault = ""
        before = engine.pipeline.analyses.latest
        goes_on(engine, lambda: state(engine) == "running" and engine.pipeline.analyses.latest is not before)
    finally:
        server.close()


@pytest.fixture
def silent(monkeypatch):
    """A server that takes connections and never says anything, and patience without end."""
    monkeypatch.setattr("desktop.vision.models.remote.METADATA_S", 3600.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.mark.parametrize("way", ["http", "grpc"])
def test_a_load_that_waits_for_a_silent_server_ends_when_it_is_not_wanted(tmp_path, silent, way):
    engine = Engine(Gpu.open, FilterLibrary(None), load_analysis)
    port = silent.getsockname()[1]
    address = f"http://127.0.0.1:{port}/v2/models/net" if way == "http" else f"grpc://127.0.0.1:{port}/net"
    engine.current.set_setup(Setup(network=NetworkSpec(address)))
    kept = [silent.accept()]
    assert state(engine) == "loading"
    # Another network is loaded on the same thread.
    engine.current.set_setup(Setup(network=NetworkSpec(str(red_or_blue_model(tmp_path / "colors.onnx")))))
    goes_on(engine, lambda: engine.pipeline.analyses.latest is not None)
    engine.current.set_setup(Setup(network=NetworkSpec(address)))
    closing = threading.Thread(target=engine.close)
    kept.append(silent.accept())
    closing.start()
    closing.join(LIMIT_S)
    assert not closing.is_alive()
