"""A load that fails late closes what it had opened: each session, whatever raised, at each place that opens
one before it is done.
"""

from __future__ import annotations

import threading

import numpy as np
import pytest
from dense_models import convolution
from detector_models import write_table
from nn_cases import save
from onnx import TensorProto, helper
from PIL import Image
from test_detector_tables import rows
from test_second_look import free_batch
from tiny_models import red_or_blue_model, square_detector
from waiting import until

from desktop.__main__ import main
from desktop.base.errors import ModelError
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.pipeline.running.compare.comparison import Comparison, Way
from desktop.pipeline.running.dense.dense_network import load_dense
from desktop.pipeline.running.inputs.references import References
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one import trial
from desktop.pipeline.running.one.crop_network import CropNetwork
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.running.pairs.frame_pair import FramePair
from desktop.pipeline.running.pairs.live_pair import LivePair
from desktop.vision.backends._divided import DividedSession
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.tasks.common.dense import DenseRequest


class Refused(RuntimeError):
    """As what a driver raises that has no memory left: no error of this program's own."""


@pytest.fixture
def sessions(monkeypatch):
    """Those that are open, as their classes tell."""
    there = []
    for kind in (WgpuSession, OnnxRuntimeSession):

        def load(*arguments, _load=kind.load, **named):
            there.append(_load(*arguments, **named))
            return there[-1]

        def close(self, _close=kind.close):
            _close(self)
            there[:] = [each for each in there if each is not self]

        monkeypatch.setattr(kind, "load", load)
        monkeypatch.setattr(kind, "close", close)
    return there


@pytest.fixture(params=[Refused, ModelError])
def refused(monkeypatch, request):
    """Has the making of an object of a class fail, the first time or the `number`th."""

    def refuse(kind, number=1):
        make, count = kind.__init__, [0]

        def fail(self, *arguments, **named):
            count[0] += 1
            if count[0] == number:
                raise request.param("no")
            make(self, *arguments, **named)

        monkeypatch.setattr(kind, "__init__", fail)
        return request.param

    return refuse


@pytest.mark.parametrize(
    ("backend", "late"),
    [
        *(("wgpu", each) for each in (PictureNetwork, CropNetwork, FramePair)),
        *(("onnxruntime", each) for each in (PictureNetwork, CropNetwork, LivePair)),
    ],
)
def test_a_second_network(gpu, tmp_path, sessions, refused, backend, late):
    first, second = (
        square_detector(tmp_path / "find.onnx"),
        free_batch(red_or_blue_model(tmp_path / "name.onnx")),
    )
    spec = NetworkSpec(str(first), backend, second=NetworkSpec(str(second), backend, things=3))
    load_analysis(gpu, spec).close()
    assert not sessions
    with pytest.raises(refused(late)):
        load_analysis(gpu, spec)
    assert not sessions


def test_a_comparison(gpu, tmp_path, sessions, refused):
    spec = NetworkSpec(str(red_or_blue_model(tmp_path / "name.onnx")))
    with pytest.raises(refused(PictureNetwork, 2)):
        Comparison(gpu, spec, Way("wgpu"), Way("onnxruntime"))
    assert not sessions


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_network_of_a_stage(gpu, tmp_path, sessions, refused, backend):
    path = convolution(tmp_path / "net.onnx", np.eye(3, dtype=np.float32)[:, :, None, None])
    with pytest.raises(refused(PictureNetwork)):
        load_dense(gpu, str(path), (32, 24), DenseRequest("image"), backend=backend)
    assert not sessions


def test_a_divided_network(gpu, tmp_path, sessions, refused):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Reshape", ["c", "flat"], ["f"]),
        helper.make_node("NonZero", ["f"], ["n"]),
        helper.make_node("Cast", ["n"], ["y"], to=TensorProto.FLOAT),
    ]
    constants = {"w": np.ones((4, 3, 1, 1), np.float32), "flat": np.array([-1], np.int64)}
    path = save(tmp_path / "net.onnx", nodes, {"x": (1, 3, 6, 6)}, "y", constants)
    load_session(path, gpu=gpu, backend="wgpu").session.close()
    assert not sessions
    with pytest.raises(refused(DividedSession)):
        load_session(path, gpu=gpu, backend="wgpu")
    assert not sessions


def test_a_trial_run_that_takes_too_long_is_a_failure_and_no_fault_of_what_was_typed(
    tmp_path, sessions, monkeypatch, capsys
):
    """Status 1 (docs/export.md); the run goes on with the session, and closes it."""
    goes_on = threading.Event()

    def run(references, picture):
        goes_on.wait()
        return {}

    monkeypatch.setattr(References, "__call__", run)
    monkeypatch.setattr(trial, "TRIAL_SECONDS", 0.0)
    table = rows((256, 192), 3, objectness=False, units="pixels")
    model = write_table(tmp_path / "d.onnx", table, (256, 192))
    picture = tmp_path / "p.png"
    Image.new("RGB", (256, 192)).save(picture)
    assert main(["detect", str(picture), "--model", str(model), "--backend", "onnxruntime"]) == 1
    assert "--decoder" in capsys.readouterr().err and len(sessions) == 1
    goes_on.set()
    until(lambda: not sessions)
