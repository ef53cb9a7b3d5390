"""ONNX Runtime's devices: found by their packages' names, chosen by name, never by themselves; those that are
installed run for real.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

from desktop import __main__
from desktop.base.errors import ModelUnsupportedError
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.compare.comparison import Way
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.backends import _onnxruntime_devices as devices
from desktop.vision.backends._onnxruntime_runs import assigned, run_bound
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import find_devices

PACKAGE = "onnxruntime_ep_sample"
SAMPLE = """
def get_library_path():
    return "/nowhere/libsample.so"
def get_ep_names():
    return ["SampleExecutionProvider"]
"""


def network(path: Path) -> Path:
    """A convolution, its activation and a mean, with weights that are the same each time."""
    weights = np.random.default_rng(0).standard_normal((8, 3, 3, 3)).astype(np.float32)
    nodes = [
        onnx.helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        onnx.helper.make_node("Relu", ["c"], ["r"]),
        onnx.helper.make_node("GlobalAveragePool", ["r"], ["y"]),
    ]
    floats = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes,
        "g",
        [onnx.helper.make_tensor_value_info("x", floats, [1, 3, 32, 32])],
        [onnx.helper.make_tensor_value_info("y", floats, [1, 8, 1, 1])],
        [onnx.numpy_helper.from_array(weights, "w")],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)
    return path


def device(name: str, kind: str, **metadata: str) -> Any:
    """What stands for an `OrtEpDevice`."""
    hardware = SimpleNamespace(type=SimpleNamespace(name=kind), vendor="Maker", metadata=metadata)
    return SimpleNamespace(ep_name=name, device=hardware)


class Options(onnxruntime.SessionOptions):
    """Session options that note which devices a session was asked for."""

    asked: list[tuple[list[Any], dict[str, str]]] = []

    def add_provider_for_devices(self, found: Any, options: Any) -> None:
        """Note them."""
        self.asked.append((list(found), dict(options)))


class Session:
    """A real session on the CPU that says of itself that all of it is the sample's."""

    def __init__(self, data: bytes, options: Any, **chosen: Any) -> None:
        self._real = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        self.chosen = chosen

    def get_providers(self) -> list[str]:
        """As the real one would have it."""
        return ["SampleExecutionProvider", "CPUExecutionProvider"]

    def get_provider_graph_assignment_info(self) -> list[Any]:
        """Two of three operators."""
        return [
            SimpleNamespace(ep_name="SampleExecutionProvider", get_nodes=lambda: [1, 2]),
            SimpleNamespace(ep_name="CPUExecutionProvider", get_nodes=lambda: [3]),
        ]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class IdleSession(Session):
    """One that computes all of it on the CPU."""

    def get_provider_graph_assignment_info(self) -> list[Any]:
        """Three of three operators."""
        return [SimpleNamespace(ep_name="CPUExecutionProvider", get_nodes=lambda: [1, 2, 3])]


class Runtime(ModuleType):
    """The package onnxruntime, of which plug-ins' libraries, devices and sessions are stand-ins and the rest
    is real.

    Attributes:
        devices: what `get_ep_devices` returns.
        registered: name and library of each plug-in that was registered.
        problem: why a library does not load, "" if it does.
    """

    def __init__(self, devices: list[Any]) -> None:
        super().__init__("onnxruntime")
        self.devices = devices
        self.registered: list[tuple[str, str]] = []
        self.problem = ""
        self.SessionOptions = Options
        self.InferenceSession: type[Session] = Session

    def get_ep_devices(self) -> list[Any]:
        """As the real one."""
        return self.devices

    def register_execution_provider_library(self, name: str, path: str) -> None:
        """As the real one."""
        if self.problem:
            raise RuntimeError(self.problem)
        self.registered += [(name, path)] if name == PACKAGE else []

    def __getattr__(self, name: str) -> Any:
        return getattr(onnxruntime, name)


def own_remarks(found) -> list[str]:
    """Those about the sample; other plug-ins may be installed here."""
    return [str(remark) for remark in found.notes if PACKAGE in str(remark)]


@pytest.fixture
def sample(tmp_path, monkeypatch):
    """A package that brings a provider with two GPUs, beside onnxruntime; its library and devices are
    stand-ins.
    """
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / f"{PACKAGE}.py").write_text(SAMPLE)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, PACKAGE, raising=False)
    given = [
        device("CPUExecutionProvider", "CPU"),
        device("SampleExecutionProvider", "GPU", Description="A card"),
        device("SampleExecutionProvider", "GPU"),
        device("SampleExecutionProvider", "NPU", is_virtual="1"),
        device("SampleExecutionProvider.AUTO", "GPU"),
    ]

    runtime = Runtime(given)
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    Options.asked.clear()
    return runtime


def test_a_plug_in_is_found_by_its_name_and_registered_once(sample) -> None:
    for _ in range(2):
        found = find_devices()
    assert sample.registered == [(PACKAGE, "/nowhere/libsample.so")]
    assert [(d.name, d.kind) for d in found.devices] == [
        ("cpu", "cpu"),
        ("sample:gpu", "gpu"),
        ("sample:gpu:1", "gpu"),
    ]
    assert found.devices[1].title == "Sample (GPU, A card)" and own_remarks(found) == []


def test_a_chosen_device_gets_the_session(sample, tmp_path: Path) -> None:
    path = network(tmp_path / "n.onnx")
    loaded = load_session(path, gpu=None, backend="onnxruntime", device="sample:gpu:1")
    [(asked, options)] = Options.asked
    assert asked == [sample.devices[2]] and options == {}
    assert loaded.session.device == "Sample (GPU, Maker), 1 of 3 operators on the CPU"
    assert loaded.reason == "onnxruntime and sample:gpu:1 were chosen by the user."
    zeros = loaded.session.run({"x": np.zeros((1, 3, 32, 32), np.float32)})
    assert zeros["y"].shape == (1, 8, 1, 1)


def test_auto_never_takes_one(sample, tmp_path: Path) -> None:
    loaded = load_session(network(tmp_path / "n.onnx"), gpu=None)
    assert loaded.session.device == "CPU" and Options.asked == [] and sample.registered == []


def test_one_that_computes_nothing_is_refused(sample, tmp_path: Path) -> None:
    sample.InferenceSession = IdleSession
    with pytest.raises(ModelUnsupportedError, match="cannot run on Sample"):
        load_session(network(tmp_path / "n.onnx"), gpu=None, backend="onnxruntime", device="sample:gpu")


def test_a_library_that_does_not_load_is_a_remark(sample, tmp_path: Path) -> None:
    sample.problem = "version 7 of the API is needed\nmore"
    sample.devices = sample.devices[:1]
    found = find_devices()
    assert [each.name for each in found.devices] == ["cpu"]
    assert "does not load: version 7 of the API is needed; install" in own_remarks(found)[0]
    with pytest.raises(ModelUnsupportedError, match=r"onnxruntime has cpu here.*version 7"):
        load_session(network(tmp_path / "n.onnx"), gpu=None, backend="onnxruntime", device="sample:gpu")


def test_one_without_hardware_is_a_remark(sample) -> None:
    sample.devices = [sample.devices[0], sample.devices[3]]
    notes = own_remarks(find_devices())
    assert notes == [f"{PACKAGE} is installed, and finds no device of its own here."]


def test_precision_is_said_where_a_provider_has_its_own_idea(monkeypatch) -> None:
    openvino = devices.Target(devices.ComputeDevice("openvino:gpu", "", "gpu"), "OpenVINOExecutionProvider")
    assert openvino.options("fp32") == {"load_config": '{"GPU": {"INFERENCE_PRECISION_HINT": "f32"}}'}
    assert openvino.options("fp16") == {"load_config": '{"GPU": {"INFERENCE_PRECISION_HINT": "f16"}}'}
    cpu = devices.Target(devices.ComputeDevice("openvino:cpu", "", "cpu"), "OpenVINOExecutionProvider")
    assert cpu.options("fp16") is None
    cuda = devices.Target(devices.ComputeDevice("cuda", "", "gpu"), "CUDAExecutionProvider")
    assert cuda.options("fp32") == {"use_tf32": "0"}
    assert cuda.options("fp16") is None
    tensorrt = devices.Target(devices.ComputeDevice("tensorrt", "", "gpu"), "TensorrtExecutionProvider")
    monkeypatch.setenv("NVIDIA_TF32_OVERRIDE", "1")
    assert tensorrt.options("fp32") == {"trt_fp16_enable": "0"}
    assert os.environ["NVIDIA_TF32_OVERRIDE"] == "1", "somebody has set it"
    monkeypatch.delenv("NVIDIA_TF32_OVERRIDE")
    assert tensorrt.options("fp16") == {"trt_fp16_enable": "1"}
    assert "NVIDIA_TF32_OVERRIDE" not in os.environ
    tensorrt.options("fp32")
    assert os.environ.pop("NVIDIA_TF32_OVERRIDE") == "0"


def test_bound_runs_are_the_same_and_tell_their_times(tmp_path: Path) -> None:
    """The memory that stands for a device's is the host's, which onnxruntime binds in the same way."""
    session = onnxruntime.InferenceSession(network(tmp_path / "n.onnx"), providers=["CPUExecutionProvider"])
    array = np.random.default_rng(1).standard_normal((1, 3, 32, 32)).astype(np.float32)
    found, times = run_bound(session, {"x": array}, ["y"], "cpu")
    assert np.array_equal(found["y"], session.run(None, {"x": array})[0])
    assert min(times.upload, times.compute, times.readback) >= 0
    assert times.copies == times.upload + times.readback
    assert assigned(session, "CPUExecutionProvider") in ((0, 0), (3, 3))


@pytest.mark.parametrize("package", ["onnxruntime_ep_openvino", "onnxruntime_ep_webgpu"])
def test_an_installed_plug_in_computes_what_the_cpu_does(package: str, tmp_path: Path) -> None:
    """For real, where the package is installed and finds hardware."""
    if package not in devices.plug_ins():
        pytest.skip(f"{package} is not installed (pip install {package.replace('_', '-')})")
    targets, notes = devices.find_targets()
    short = package.removeprefix("onnxruntime_ep_")
    own = [target.device.name for target in targets if target.device.name.startswith(f"{short}:")]
    if not own:
        pytest.skip(" ".join(notes) or f"{package} lists no device")
    path = network(tmp_path / "n.onnx")
    array = np.random.default_rng(1).standard_normal((1, 3, 32, 32)).astype(np.float32)
    expected = load_session(path, gpu=None, backend="onnxruntime").session.run({"x": array})["y"]
    for name in own:
        session = load_session(path, gpu=None, backend="onnxruntime", device=name).session
        assert np.abs(session.run({"x": array})["y"] - expected).max() <= 1e-4 * np.abs(expected).max()
        session.close()


# -- what keeps and names the choice -------------------------------------------------------------------------


def test_a_preset_keeps_the_device(tmp_path: Path) -> None:
    path = network(tmp_path / "n.onnx")
    library = FilterLibrary()
    spec = NetworkSpec(str(path), "onnxruntime", device="openvino:gpu:1")
    save_preset(Setup(network=spec), library, tmp_path / "p.toml")
    loaded = load_preset(tmp_path / "p.toml", library)
    assert loaded.setup.network == spec and loaded.warnings == ()
    text = (tmp_path / "p.toml").read_text(encoding="utf-8")
    (tmp_path / "p.toml").write_text(text.replace("openvino:gpu:1", "../../etc"), encoding="utf-8")
    loaded = load_preset(tmp_path / "p.toml", library)
    assert loaded.setup.network is not None and loaded.setup.network.device == "auto"
    assert "device" in loaded.warnings[0]
    save_preset(Setup(network=NetworkSpec(str(path))), library, tmp_path / "q.toml")
    assert "device" not in (tmp_path / "q.toml").read_text(encoding="utf-8")


def test_a_way_may_name_a_device() -> None:
    assert Way.parse("torch:auto:cuda:0") == Way("torch", "auto", "cuda:0")
    assert Way.parse("wgpu:fp16") == Way("wgpu", "fp16") and Way.parse("torch::mps").device == "mps"


def test_the_command_line_takes_and_lists_devices(tmp_path: Path, capsys) -> None:
    path = str(network(tmp_path / "n.onnx"))
    assert __main__.main(["devices", "--networks"]) == 0
    assert "onnxruntime (ONNX Runtime)\n  cpu  " in capsys.readouterr().out
    np.savez(tmp_path / "in.npz", x=np.zeros((1, 3, 32, 32), np.float32))
    files = ["--input", str(tmp_path / "in.npz"), "--output", str(tmp_path / "out.npz")]
    run = ["model", "run", path, *files, "--backend", "onnxruntime", "--device-of-network"]
    assert __main__.main([*run, "cpu"]) == 0
    assert "onnxruntime and cpu were chosen by the user" in capsys.readouterr().err
    assert __main__.main([*run, "quantum:0"]) == 1
    assert "cannot run on 'quantum:0'" in capsys.readouterr().err


def test_a_server_is_not_said_to_compute_on_this_machine(capsys):
    assert __main__.main(["devices", "--networks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    behind = {
        line.split()[0]: lines[at + 1].strip() for at, line in enumerate(lines) if not line.startswith(" ")
    }
    assert behind["wgpu"] == "computes on the adapter that draws the frames (--adapter)"
    assert behind["remote"] == "The address of a network names the server that computes it."
