"""`lightloom model ...` from end to end on small networks: what is printed, written, and the exit statuses."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import onnx
import onnxruntime
import psutil
import pytest
from onnx import TensorProto, helper, numpy_helper
from tiny_models import red_or_blue_model
from waiting import LIMIT_S

from desktop.__main__ import main


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch, tmp_path):
    monkeypatch.setenv("LIGHTLOOM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def model(tmp_path):
    return red_or_blue_model(tmp_path / "color.onnx")


def write_arrays(path, **arrays):
    np.savez(path, **arrays)
    return str(path)


def picture(shape=(1, 3, 32, 32), dtype=np.float32):
    return np.random.default_rng(0).random(shape).astype(dtype)


def test_check(model, capsys):
    assert main(["model", "check", str(model)]) == 0
    printed = capsys.readouterr().out
    for part in ("x  float 1 x 3 x 32 x 32", "Conv 1", "parameters  9", "fp32 (auto)", "18.43 kFLOP"):
        assert part in printed


def test_check_as_json(model, capsys):
    assert main(["model", "check", str(model), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["flops"] == 2 * 3 * 3 * 32 * 32
    assert [p["precision"] for p in data["precisions"]] == ["fp32", "fp16"]
    assert data["precisions"][0]["memory"]["activations"] >= 3 * 32 * 32 * 4


def with_open_sizes(path):
    """Two inputs that leave sizes open beside the batch, one with a name that a shell would split, and one
    that leaves none.
    """
    floats = TensorProto.FLOAT
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["x"], ["m"], keepdims=0),
            helper.make_node("Sum", ["m", "a b", "c"], ["y"]),
        ],
        "g",
        [
            helper.make_tensor_value_info("x", floats, ["batch", 3, "height", "width"]),
            helper.make_tensor_value_info("a b", floats, ["batch", None]),
            helper.make_tensor_value_info("c", floats, [1, 4]),
        ],
        [helper.make_tensor_value_info("y", floats, None)],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def test_sizes_that_are_open_are_asked_for_by_their_option(tmp_path, capsys):
    path = with_open_sizes(tmp_path / "open.onnx")
    asked = "--shape x=1,3,224,224 --shape 'a b=1,1'"
    for action in ("check", "profile", "tune", "verify"):
        assert main(["model", action, str(path)]) == 2
        said = capsys.readouterr()
        assert said.err.endswith(f"open.onnx leaves sizes of its inputs open; choose them, as in {asked}.\n")
        assert "unsupported" not in said.out
        if action == "check":
            assert f"  sizes       to be chosen, as in {asked}" in said.out
    assert main(["model", "check", str(path), "--json"]) == 2
    open_sizes = json.loads(capsys.readouterr().out)["open"]
    assert open_sizes == {"x": ["batch", 3, "height", "width"], "a b": ["batch", "?"]}
    # As they are asked for, they are taken.
    assert main(["model", "check", str(path), *shlex.split(asked)]) == 0
    assert f"  sizes       {asked}; others can be chosen so" in capsys.readouterr().out
    assert main(["model", "verify", str(path), "--shape", "x=1,3,6,8", "--shape", "a b=1,4"]) == 0


def test_an_open_batch_is_one_and_said(tmp_path, model, capsys):
    proto = onnx.load(str(model))
    for info in (*proto.graph.input, *proto.graph.output):
        info.type.tensor_type.shape.dim[0].dim_param = "batch"
    path = tmp_path / "batch.onnx"
    path.write_bytes(proto.SerializeToString())
    assert main(["model", "check", str(path)]) == 0
    assert "  sizes       --shape x=1,3,32,32; others can be chosen so" in capsys.readouterr().out
    assert main(["model", "check", str(model)]) == 0
    assert "sizes" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        (["none=1,2"], "The network has no input 'none', which --shape names; it has: 'x'."),
        (["x=1,3,32,32", "x=1,3,8,8"], "--shape gives 'x' twice; give it once."),
        (["x=1,3,8,8"], "does not take the shape"),
    ],
)
@pytest.mark.parametrize("action", ["check", "profile", "tune", "verify"])
def test_sizes_that_do_not_fit_are_told_of(model, capsys, action, shapes, said):
    words = [word for shape in shapes for word in ("--shape", shape)]
    assert main(["model", action, str(model), *words]) in (1, 2)
    assert said in capsys.readouterr().err


def test_check_of_a_refused_model(model, capsys):
    proto = onnx.load(str(model))
    proto.graph.node[0].op_type = "Explode"
    model.write_bytes(proto.SerializeToString())
    for extra in ([], ["--json"]):
        assert main(["model", "check", str(model), *extra]) == 1
        said = capsys.readouterr()
        assert "Explode 'c' (opset 13)" in said.out and said.err.count("\n") == 1
    assert json.loads(said.out)["unsupported"] == ["Explode 'c' (opset 13)"]


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime", "auto"])
def test_run(model, tmp_path, backend):
    x, out = picture(), tmp_path / "out.npz"
    given = write_arrays(tmp_path / "in.npz", x=x)
    for _ in range(2):  # wgpu: prepared, then from the cache
        status = main(
            ["model", "run", str(model), "--input", given, "--output", str(out), "--backend", backend]
        )
        assert status == 0
        want = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]).run(
            None, {"x": x}
        )[0]
        with np.load(out) as arrays:
            np.testing.assert_allclose(arrays["y"], want, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("arrays", "part"),
    [
        ({}, "lacks the input 'x'"),
        ({"x": picture(), "z": picture()}, "has an array 'z'"),
        ({"z": picture()}, "'x'"),
        ({"x": picture((1, 3, 32, 31))}, "(1, 3, 32, 31)"),
        ({"x": picture((3, 32, 32))}, "(3, 32, 32)"),
        ({"x": picture(dtype=np.float64)}, "float64"),
    ],
)
def test_run_on_wrong_arrays(model, tmp_path, capsys, arrays, part):
    given = write_arrays(tmp_path / "in.npz", **arrays)
    out = tmp_path / "out.npz"
    assert (
        main(["model", "run", str(model), "--input", given, "--output", str(out), "--backend", "wgpu"]) == 1
    )
    said = capsys.readouterr().err.splitlines()[-1]
    assert part in said and said.endswith(".")
    assert not out.exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not a zip", b"\x93NUMPY", b"text"])
def test_run_on_no_arrays(model, tmp_path, capsys, content):
    (tmp_path / "in.npz").write_bytes(content)
    command = ["model", "run", str(model), "--input", str(tmp_path / "in.npz"), "--output", "unused.npz"]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "cannot be read (it is no whole .npz file); give" in said and "pickle" not in said


def test_run_writes_where_it_cannot(model, tmp_path, capsys):
    given = write_arrays(tmp_path / "in.npz", x=picture())
    out = tmp_path / "none" / "out.npz"
    assert main(["model", "run", str(model), "--input", given, "--output", str(out)]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_run_of_names_that_files_do_not_have(tmp_path):
    """Outputs called 'file' and 'a/b', and an input whose size is the array's."""
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["file"]), helper.make_node("Neg", ["x"], ["a/b"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("file", "a/b")],
    )
    path, out = tmp_path / "m.onnx", tmp_path / "out.npz"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    x = picture((2, 3, 5, 7)) - 0.5
    given = write_arrays(tmp_path / "in.npz", x=x)
    assert main(["model", "run", str(path), "--input", given, "--output", str(out), "--backend", "wgpu"]) == 0
    with np.load(out) as arrays:
        np.testing.assert_array_equal(arrays["file"], np.maximum(x, 0))
        np.testing.assert_array_equal(arrays["a/b"], -x)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_verify(model, capsys, backend):
    assert main(["model", "verify", str(model), "--backend", backend, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["backend"] == backend
    assert [(o["kind"], o["output"], o["passed"]) for o in data["outputs"]] == [
        ("random", "y", True),
        ("picture", "y", True),
    ]


@pytest.mark.parametrize(
    ("backend", "compared", "reference"),
    [("auto", "wgpu", "onnxruntime"), ("onnxruntime", "onnxruntime", "onnxruntime node by node")],
)
def test_verify_compares_two_things(model, capsys, monkeypatch, backend, compared, reference):
    from desktop.vision.backends.onnxruntime import OnnxRuntimeSession

    made = []
    load = OnnxRuntimeSession.load.__func__
    monkeypatch.setattr(
        OnnxRuntimeSession,
        "load",
        classmethod(lambda cls, *a, **k: made.append(k.get("reference", False)) or load(cls, *a, **k)),
    )
    assert main(["model", "verify", str(model), "--backend", backend, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["backend"], data["reference"]) == (compared, reference)
    assert len(made) == len(set(made))


def test_verify_says_that_it_compared_nothing(tmp_path, capsys):
    """A network that the engine refuses: 'auto' would set onnxruntime beside itself and say 0."""
    graph = helper.make_graph(
        [helper.make_node("Exp", ["x"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.DOUBLE, [2])],
        [helper.make_tensor_value_info("y", TensorProto.DOUBLE, [2])],
    )
    path = tmp_path / "double.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    assert main(["model", "verify", str(path)]) == 1
    said = capsys.readouterr()
    assert "double.onnx was not compared" in said.err and said.out == ""


def test_verify_tells_what_is_wrong(model, capsys, monkeypatch):
    from desktop.compute.nn.runtime.session import WgpuSession

    right = WgpuSession.run
    monkeypatch.setattr(
        WgpuSession, "run", lambda self, feeds: {k: v * 1.1 for k, v in right(self, feeds).items()}
    )
    assert main(["model", "verify", str(model), "--backend", "wgpu"]) == 1
    said = capsys.readouterr()
    assert "differs from onnxruntime by 0.1 in the output 'y'" in said.err
    assert len(said.out.splitlines()) == 3


def test_profile(model, capsys, gpu):
    assert main(["model", "profile", str(model), "--json", "--runs", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["clock"] == ("GPU timestamps" if gpu.has("timestamp-query") else "CPU")
    assert sum(n["flops"] for n in data["nodes"]) == 2 * 9 * 32 * 32
    assert all(n["dispatches"] >= 1 and n["bytes"] > 0 and n["ms"] >= 0 for n in data["nodes"])
    assert main(["model", "profile", str(model), "--runs", "1"]) == 0
    assert "conv" in capsys.readouterr().out


def test_profile_without_timestamps(model):
    from desktop.compute.gpu.device import Gpu
    from desktop.compute.nn.measure.profile import profile_session
    from desktop.compute.nn.runtime.session import WgpuSession

    plain = Gpu.open(features=())
    session = WgpuSession.load(plain, model)
    profile = profile_session(session, 1)
    assert profile.clock == "CPU" and profile.ms > 0
    assert sum(n.dispatches for n in profile.nodes) == session.dispatch_count
    session.close()
    plain.close()


@pytest.mark.parametrize(
    "command",
    [
        ["check", "none.onnx"],
        ["run"],
        ["verify", "m", "--runs", "0"],
        ["check", "m", "--shape", "x=a"],
        ["check", "m", "--shape", "x=1,0"],
        [],
    ],
)
def test_typed_wrongly(command):
    try:
        status = main(["model", *command])
    except SystemExit as ended:
        status = ended.code
    assert status == 2


def test_constants_of_a_model_with_free_sizes(tmp_path, capsys):
    weight = numpy_helper.from_array(np.ones((2, 3, 1, 1), np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "h", "w"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [weight],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    assert main(["model", "check", str(path)]) == 2
    assert "1 x 3 x h x w" in capsys.readouterr().out
    for action in ("check", "verify", "profile"):
        assert main(["model", action, str(path), "--shape", "x=1,3,6,8", "--json"]) == 0
    assert capsys.readouterr().out.count("{") > 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
def test_a_network_that_never_ends_is_left_where_it_is(tmp_path):
    """The main thread waits inside onnxruntime, which hears no signal."""
    value, flag = helper.make_tensor_value_info("v", 1, [2]), helper.make_tensor_value_info("c", 9, [])
    count = helper.make_tensor_value_info("i", 7, [])
    results = [helper.make_tensor_value_info("c2", 9, []), helper.make_tensor_value_info("v2", 1, [2])]
    nodes = [helper.make_node("Identity", [a], [b]) for a, b in (("c", "c2"), ("v", "v2"))]
    body = helper.make_graph(nodes, "body", [count, flag, value], results)
    loop = helper.make_node("Loop", ["rounds", "go", "x"], ["y"], body=body)
    constants = [
        numpy_helper.from_array(np.array(1 << 60, np.int64), "rounds"),
        numpy_helper.from_array(np.array(True), "go"),
    ]
    x, y = (helper.make_tensor_value_info(name, 1, [2]) for name in "xy")
    model = helper.make_model(
        helper.make_graph([loop], "endless", [x], [y], constants),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.save(model, tmp_path / "endless.onnx")
    np.savez(tmp_path / "x.npz", x=np.zeros(2, np.float32))
    arguments = ["desktop", "model", "run", str(tmp_path / "endless.onnx"), "--backend", "onnxruntime"]
    arguments += ["--input", str(tmp_path / "x.npz"), "--output", str(tmp_path / "y.npz")]
    code = (
        "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
        f"sys.argv = {arguments!r}; runpy.run_module('desktop', run_name='__main__')"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as process:
        assert "onnxruntime" in process.stderr.readline()  # it has been loaded
        loaded = psutil.Process(process.pid).cpu_times().user
        while psutil.Process(process.pid).cpu_times().user < loaded + 0.5:  # and runs
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        complaint = process.communicate(timeout=LIMIT_S)[1]
    assert process.returncode == 1
    assert complaint.splitlines()[-1] == "lightloom: Stopped."
    assert not (tmp_path / "y.npz").exists()
