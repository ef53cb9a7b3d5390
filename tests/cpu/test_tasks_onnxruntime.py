"""The onnxruntime session: the interface, the provider in use, errors of one sentence; and which backend is
chosen.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import (
    ModelError,
    ModelInvalidError,
    ModelMemoryError,
    ModelUnsupportedError,
    UsageError,
)
from desktop.vision.backends._onnxruntime_words import failure_of
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession, find_devices


def save(path: Path, op="Relu", shape=(1, 4), dtype=TensorProto.FLOAT, domain="", bias=True) -> Path:
    """A network of one operator and, with `bias`, an addition."""
    nodes = [helper.make_node(op, ["x"], ["y" if not bias else "h"], domain=domain)]
    inits = []
    if bias:
        nodes.append(helper.make_node("Add", ["h", "c"], ["y"]))
        inits.append(numpy_helper.from_array(np.full(1, 0.5, helper.tensor_dtype_to_np_dtype(dtype)), "c"))
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [value("x", dtype, shape)], [value("y", dtype, shape)], inits)
    opsets = [helper.make_opsetid("", 13), *([helper.make_opsetid(domain, 1)] if domain else [])]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), str(path))
    return path


def test_it_computes_and_says_where(tmp_path: Path):
    session = OnnxRuntimeSession.load(save(tmp_path / "m.onnx"))
    assert session.capabilities.recorder is None and session.capabilities.run_times() is None
    assert (session.backend, session.device, session.precision) == ("onnxruntime", "CPU", "fp32")
    x = np.array([[-1, 0, 1, 2]], np.float32)
    np.testing.assert_array_equal(session.run({"x": x})["y"], np.maximum(x, 0) + 0.5)
    session.close()
    with pytest.raises(ModelError, match="closed"):
        session.run({"x": x})


def test_half_precision_in_and_out(tmp_path: Path):
    session = OnnxRuntimeSession.load(save(tmp_path / "m.onnx", dtype=TensorProto.FLOAT16))
    assert (session.precision, session.inputs[0].dtype) == ("fp16", "float16")
    result = session.run({"x": np.ones((1, 4), np.float16)})["y"]
    assert result.dtype == np.float16 and result[0, 0] == 1.5


def test_free_dimensions_are_bound(tmp_path: Path):
    path = save(tmp_path / "m.onnx", shape=("n", 3, "h", "w"))
    session = OnnxRuntimeSession.load(path)
    assert session.inputs[0].shape == (1, 3, 224, 224)
    session = OnnxRuntimeSession.load(path, input_shapes={"x": (1, 3, 8, 16)})
    assert session.inputs[0].shape == session.outputs[0].shape == (1, 3, 8, 16)
    assert session.run({"x": np.zeros((1, 3, 8, 16), np.float32)})["y"].shape == (1, 3, 8, 16)
    with pytest.raises(ModelUnsupportedError, match=r"\['any', 3, 'any', 'any'\], not \[1, 4, 8, 16\]"):
        OnnxRuntimeSession.load(path, input_shapes={"x": (1, 4, 8, 16)})


@pytest.mark.parametrize(
    ("feeds", "message"),
    [
        ({}, "needs a value for its input 'x'"),
        ({"x": np.zeros((1, 4), np.float32), "z": np.zeros(1)}, "has no input 'z'"),
        ({"x": np.zeros((1, 5), np.float32)}, r"takes float32\[1, 4\], not float32\[1, 5\]"),
        ({"x": np.zeros((1, 4), np.float64)}, r"not float64\[1, 4\]"),
    ],
)
def test_wrong_feeds(tmp_path: Path, feeds, message):
    with pytest.raises(ModelError, match=message):
        OnnxRuntimeSession.load(save(tmp_path / "m.onnx")).run(feeds)


def test_files_that_are_no_models(tmp_path: Path):
    for data in (b"", b"text, not protobuf", save(tmp_path / "m.onnx").read_bytes()[:40]):
        path = tmp_path / "bad.onnx"
        path.write_bytes(data)
        with pytest.raises(ModelInvalidError, match=r"bad\.onnx") as caught:
            OnnxRuntimeSession.load(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(ModelInvalidError, match="cannot be read"):
        OnnxRuntimeSession.load(tmp_path / "missing.onnx")


def test_an_unknown_operator_is_named(tmp_path: Path):
    path = save(tmp_path / "m.onnx", op="Frobnicate", domain="com.example", bias=False)
    with pytest.raises(ModelUnsupportedError, match="Frobnicate") as caught:
        OnnxRuntimeSession.load(path)
    assert caught.value.reasons


def test_onnxruntimes_own_words_stand_shortened_behind_a_sentence(tmp_path: Path):
    path = save(tmp_path / "m.onnx", op="Debug", bias=False)
    with pytest.raises(ModelUnsupportedError) as caught:
        OnnxRuntimeSession.load(path)
    text = str(caught.value)
    assert text.startswith("onnxruntime lacks something that m.onnx is made of; choose another network (")
    assert "Debug" in text and str(tmp_path) not in text and "->" not in text
    assert len(text) < 250 and "\n" not in text


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("std::bad_alloc"),
        RuntimeError("bad allocation"),
        onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException(
            "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Exception during initialization: bfc_arena.cc:359 "
            "AllocateRawInternal Failed to allocate memory for requested buffer of size 1073741824"
        ),
    ],
)
def test_a_lack_of_memory_is_not_taken_for_a_damaged_file(tmp_path: Path, monkeypatch, error):
    path = save(tmp_path / "m.onnx", bias=False)

    def session(*_, **__):
        raise error

    monkeypatch.setattr(onnxruntime, "InferenceSession", session)
    with pytest.raises(
        ModelMemoryError, match=r"There is not enough memory to load m\.onnx; end other programs"
    ):
        OnnxRuntimeSession.load(path)


def test_places_in_onnxruntimes_source_are_no_reason(tmp_path: Path):
    """Three forms of them, in what the installed one says of a missing output, of a short constant and of
    scales.
    """
    value = helper.make_tensor_value_info
    ends = [value("x", 1, [1, 3, 4, 4])], [value("y", 1, None)]
    short = TensorProto(name="c", data_type=1, dims=[4], raw_data=b"12345")
    scales = numpy_helper.from_array(np.array([1, 1, np.nan, 2], np.float32), "s")
    uneven = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1])
    weight = numpy_helper.from_array(np.ones((3, 3, 1, 1), np.float32), "w")
    graphs = {
        "This is an invalid model. Graph output (y) does not exist": (
            [helper.make_node("Relu", ["x"], ["z"])],
            [],
        ),
        "Initializer 'c': raw_data size (5 bytes)": ([helper.make_node("Add", ["x", "c"], ["y"])], [short]),
        "Scale value must be finite": ([helper.make_node("Resize", ["x", "", "s"], ["y"])], [scales]),
        "Conv: Attribute pads has incorrect size": ([uneven], [weight]),
    }
    for expected, (nodes, constants) in graphs.items():
        graph = helper.make_graph(nodes, "g", *ends, constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        with pytest.raises(Exception, match="ONNXRuntimeError") as caught:
            onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        reason = failure_of(caught.value).reason
        assert reason and "onnxruntime_src" not in reason and ".cc:" not in reason
        # Older ones put "Failed to load model with error:" before the place, and word some of these
        # differently.
        if tuple(map(int, onnxruntime.__version__.split(".")[:2])) >= (1, 30):
            assert expected in reason


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "FAIL : N:\\_work\\1\\s\\onnxruntime\\core\\graph\\graph.cc:1617 onnxruntime::Graph::"
            "InitializeStateFromModelFileGraphProto This is an invalid model. Graph output (y) does not exist in the "
            "graph.\n",
            "This is an invalid model. Graph output (y) does not exist in the graph",
        ),
        (
            "FAIL : Exception during initialization: N:\\_work\\1\\s\\onnxruntime\\core\\optimizer\\initializer.cc:51 "
            "onnxruntime::Initializer::Initializer [ONNXRuntimeError] : 1 : FAIL : tensorprotoutils.cc:1733 "
            "onnxruntime::utils::ValidateEmbeddedTensorProtoDataSizeAndShape Initializer 'c': raw_data size (5 bytes) "
            "does not match expected size\n",
            "Initializer 'c': raw_data size (5 bytes) does not match expected size",
        ),
        (
            "FAIL : Exception during initialization: N:\\_work\\1\\s\\onnxruntime\\core/providers/cpu/tensor/"
            "upsamplebase.h:314 onnxruntime::UpsampleBase::UpsampleBase [ONNXRuntimeError] : 1 : FAIL : "
            "upsamplebase.h:540 onnxruntime::UpsampleBase::ScalesValidation Scale value must be finite.\n",
            "Scale value must be finite",
        ),
    ],
)
def test_places_as_windows_builds_name_them_are_no_reason(said, reason):
    """Messages of onnxruntime 1.32 for Windows about the graphs of the test before."""
    assert failure_of(RuntimeError(f"[ONNXRuntimeError] : 1 : {said}")).reason == reason


def test_a_provider_that_is_not_here_is_refused_not_replaced(tmp_path: Path):
    path = save(tmp_path / "m.onnx")
    have = {device.name for device in find_devices().devices}
    missing = next(name for name in ("cuda", "coreml") if name not in have)
    with pytest.raises(ModelUnsupportedError, match=f"'{missing}': onnxruntime has cpu"):
        OnnxRuntimeSession.load(path, device=missing)
    with pytest.raises(ModelUnsupportedError, match="fp16"):
        OnnxRuntimeSession.load(path, precision="fp16")


def test_the_choice_of_a_backend_has_a_reason(tmp_path: Path):
    path = save(tmp_path / "m.onnx")
    loaded = load_session(path, gpu=None)
    assert loaded.session.backend == "onnxruntime" and "no GPU" in loaded.reason
    loaded = load_session(path, gpu=None, backend="onnxruntime")
    assert "chosen by the user" in loaded.reason
    with pytest.raises(UsageError, match="wgpu"):
        load_session(path, gpu=None, backend="wgpu")
    with pytest.raises(UsageError, match="no backend 'cuda'"):
        load_session(path, gpu=None, backend="cuda")  # type: ignore[arg-type]


def test_onnxruntime_is_imported_only_when_used():
    code = (
        "import sys, desktop.vision.tasks.classification, desktop.vision.backends.loader;"
        "print([m for m in ('onnxruntime', 'onnx', 'cv2', 'PySide6') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


_X = ("x", TensorProto.FLOAT, [1, 4, 6, 6])


@pytest.mark.parametrize(
    ("op", "attributes", "constants"),
    [
        ("ConvTranspose", {"group": 0}, {"w": np.ones((4, 4, 3, 3), np.float32)}),
        ("Conv", {"group": -1}, {"w": np.ones((4, 4, 3, 3), np.float32)}),
        ("Conv", {"strides": [0, 0]}, {"w": np.ones((4, 4, 3, 3), np.float32)}),
        ("Conv", {"dilations": [1, -1]}, {"w": np.ones((4, 4, 3, 3), np.float32)}),
        ("Conv", {"pads": [0, 0, -1, 0]}, {"w": np.ones((4, 4, 3, 3), np.float32)}),
        ("MaxPool", {"kernel_shape": [2, 0]}, {}),
        ("DepthToSpace", {"blocksize": 0}, {}),
        ("LRN", {"size": 0}, {}),
        ("Attention", {"q_num_heads": 0, "kv_num_heads": 0}, {"k": np.ones((1, 3, 8), np.float32)}),
    ],
)
def test_what_ends_onnxruntime_is_refused_before(tmp_path, op, attributes, constants):
    """By both backends, in the process that asks: ONNX Runtime divides by some of these."""
    node = helper.make_node(op, ["x", *constants], ["y"], **attributes)
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info(*_X)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    for backend in ("onnxruntime", "auto"):
        with pytest.raises(ModelInvalidError, match="' is"):
            load_session(path, gpu=None, backend=backend)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(("op", "divisor"), [("Div", 0), ("Div", -1), ("Mod", 0), ("Mod", -1)])
def test_divisions_that_overflow_are_refused_before(tmp_path, op, divisor, dtype):
    """The smallest whole number by -1 is SIGFPE in ONNX Runtime."""
    constants = {"a": np.array([np.iinfo(dtype).min], dtype), "b": np.array([divisor], dtype)}
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = helper.make_graph(
        [helper.make_node(op, ["a", "b"], ["y"])],
        "g",
        [],
        [helper.make_tensor_value_info("y", kind, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    with pytest.raises(ModelInvalidError, match="divided"):
        load_session(path, gpu=None, backend="onnxruntime")
